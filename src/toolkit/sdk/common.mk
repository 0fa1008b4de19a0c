# common.mk -- for projects in the manner of the SDKs of CUDA 2 to 4, whose Makefile is
#
#     EXECUTABLE := vectorAdd
#     CUFILES    := vectorAdd.cu
#     CCFILES    := vectorAdd_gold.cpp
#     include ../../common/common.mk
#
# It takes the variables that theirs takes, as far as they make sense here:
#
#   EXECUTABLE, or STATIC_LIB    what is made
#   CUFILES CUFILES_sm_NN CCFILES CFILES       of what; SRCDIR: where that is
#   PTXFILES CUBINFILES          become data/NAME.ptx and data/NAME.cubin
#   CU_DEPS C_DEPS               what else objects depend on
#   INCLUDES LIB COMMONFLAGS NVCCFLAGS CUDACCFLAGS SMVERSIONFLAGS CXXFLAGS CFLAGS LINKFLAGS
#   USEDRVAPI OMIT_CUTIL_LIB OMIT_SHRUTIL_LIB
#   dbg=1 gpudbg=1 verbose=1 keep=1 ptxas=1 fastmath=1 maxregisters=N
#   ROOTBINDIR BINDIR ROOTOBJDIR               where results go: bin/linux/release and obj here
#   CUDA_INSTALL_PATH            the toolkit: the one that this file belongs to
#
# There is no OpenGL, and of CUDA's libraries only those that the toolkit has: a project that wants
# another is told so.
.SUFFIXES:
.DEFAULT_GOAL := all

smelt_tree := $(abspath $(dir $(realpath $(lastword $(MAKEFILE_LIST))))/../..)
CUDA_INSTALL_PATH ?= $(smelt_tree)

ROOTDIR    ?= ..
ROOTBINDIR ?= bin
BINDIR     ?= $(ROOTBINDIR)/linux
ROOTOBJDIR ?= obj
NVCC       ?= $(CUDA_INSTALL_PATH)/bin/nvcc

# --- what is not there -------------------------------------------------------------------------

smelt_switches := USEGLLIB:GL USEGLUT:glut USEPARAMGL:paramgl USERENDERCHECKGL:rendercheckgl \
    USECUFFT:cufft USECUBLAS:cublas USECURAND:curand USECUSPARSE:cusparse USENPP:npp
smelt_wanted := $(foreach pair,$(smelt_switches),\
    $(if $(filter 1,$($(firstword $(subst :, ,$(pair))))),$(lastword $(subst :, ,$(pair)))))
smelt_missing := $(foreach lib,$(smelt_wanted),\
    $(if $(wildcard $(CUDA_INSTALL_PATH)/lib64/lib$(lib).*),,lib$(lib)))
ifneq ($(strip $(smelt_missing)),)
    $(error $(or $(EXECUTABLE),$(STATIC_LIB)) needs $(strip $(smelt_missing)), which smelt does not have)
endif
ifeq ($(emu),1)
    $(error emu=1: there is no device emulation; smelt run is what runs the program)
endif

# --- flags -------------------------------------------------------------------------------------

INCLUDES    += -I. $(addprefix -I,$(SRCDIR)) -I$(smelt_tree)/C/common/inc
COMMONFLAGS += $(INCLUDES) -DUNIX
ifeq ($(gpudbg),1)
    dbg := 1
    NVCCFLAGS += -G
endif
ifeq ($(dbg),1)
    COMMONFLAGS += -g -D_DEBUG
    smelt_kind := debug
else
    COMMONFLAGS += -O2
    smelt_kind := release
endif
ifeq ($(fastmath),1)
    NVCCFLAGS += -use_fast_math
endif
ifeq ($(keep),1)
    NVCCFLAGS += -keep
endif
ifeq ($(ptxas),1)
    NVCCFLAGS += -Xptxas -v
endif
ifdef maxregisters
    NVCCFLAGS += -maxrregcount $(maxregisters)
endif
smelt_nvcc := $(NVCC) -m64 $(NVCCFLAGS) $(CUDACCFLAGS) $(COMMONFLAGS) $(GENCODE_ARCH) $(SMVERSIONFLAGS)

LIB += $(if $(filter 1,$(USEDRVAPI)),-lcuda) $(addprefix -l,$(smelt_wanted))
LIB += $(if $(filter 1,$(OMIT_CUTIL_LIB)),,-lcutil_x86_64) $(if $(filter 1,$(OMIT_SHRUTIL_LIB)),,-lshrutil_x86_64)
quiet := $(if $(filter 1,$(verbose)),,@)

# --- rules -------------------------------------------------------------------------------------

smelt_objdir := $(ROOTOBJDIR)/x86_64/$(smelt_kind)
# (objects SUFFIX FILES): where their objects go
smelt_objects = $(foreach file,$(2),$(smelt_objdir)/$(notdir $(file))$(1))
OBJS += $(call smelt_objects,.o,$(CUFILES) $(CCFILES) $(CFILES))
smelt_sm := $(patsubst CUFILES_sm_%,%,$(filter CUFILES_sm_%,$(.VARIABLES)))
OBJS += $(foreach sm,$(smelt_sm),$(call smelt_objects,_sm_$(sm).o,$(CUFILES_sm_$(sm))))
smelt_data := $(foreach file,$(PTXFILES),$(SRCDIR)data/$(notdir $(file:.cu=.ptx))) \
    $(foreach file,$(CUBINFILES),$(SRCDIR)data/$(notdir $(file:.cu=.cubin)))
TARGET := $(if $(STATIC_LIB),$(or $(LIBDIR),lib)/$(STATIC_LIB),$(BINDIR)/$(smelt_kind)/$(EXECUTABLE))

.PHONY: all clean clobber tidy
all: $(TARGET)

$(TARGET): $(OBJS) $(smelt_data)
	@mkdir -p $(@D)
	$(quiet)$(if $(STATIC_LIB),ar rcs $@ $(OBJS),$(NVCC) -o $@ $(OBJS) $(LINKFLAGS) $(LIB))

$(smelt_objdir)/%.cu.o: $(SRCDIR)%.cu $(CU_DEPS)
	@mkdir -p $(@D)
	$(quiet)$(smelt_nvcc) -o $@ -c $<

$(smelt_objdir)/%.cpp.o: $(SRCDIR)%.cpp $(C_DEPS)
	@mkdir -p $(@D)
	$(quiet)$(CXX) -fPIC $(CXXFLAGS) $(COMMONFLAGS) -o $@ -c $<

$(smelt_objdir)/%.c.o: $(SRCDIR)%.c $(C_DEPS)
	@mkdir -p $(@D)
	$(quiet)$(CC) -fPIC $(CFLAGS) $(COMMONFLAGS) -o $@ -c $<

define smelt_sm_rule
$(smelt_objdir)/%.cu_sm_$(1).o: $(SRCDIR)%.cu $(CU_DEPS)
	@mkdir -p $$(@D)
	$(quiet)$(smelt_nvcc) -arch=sm_$(1) -o $$@ -c $$<
endef
$(foreach sm,$(smelt_sm),$(eval $(call smelt_sm_rule,$(sm))))

$(SRCDIR)data/%.ptx: $(SRCDIR)%.cu
	@mkdir -p $(@D)
	$(quiet)$(smelt_nvcc) -o $@ -ptx $<

$(SRCDIR)data/%.cubin: $(SRCDIR)%.cu
	@mkdir -p $(@D)
	$(quiet)$(smelt_nvcc) -o $@ -cubin $<

tidy clean clobber:
	$(quiet)rm -rf $(smelt_objdir) $(TARGET) $(smelt_data)
