/*
 * shrutil.c -- libshrutil.a: the functions of shrUtils.h, of which most are cutil's under other
 * names.  No name is in both libraries, so that a program may be linked with both.
 */
#define CUT_API
#define cutCheckCmdLineFlag shrCheckCmdLineFlag
#define cutCheckCondition shrCheckCondition
#define cutGetCmdLineArgumenti shrGetCmdLineArgumenti
#define cutGetCmdLineArgumentf shrGetCmdLineArgumentf
#define cutGetCmdLineArgumentstr shrGetCmdLineArgumentstr
#define cutFindFilePath shrFindFilePath
#define cutFree shrFree
#define cutCreateTimer shrCreateTimer
#define cutDeleteTimer shrDeleteTimer
#define cutStartTimer shrStartTimer
#define cutStopTimer shrStopTimer
#define cutResetTimer shrResetTimer
#define cutGetTimerValue shrGetTimerValue
#define cutGetAverageTimerValue shrGetAverageTimerValue
#define cutReadFilef shrReadFilef
#define cutReadFiled shrReadFiled
#define cutReadFilei shrReadFilei
#define cutReadFileui shrReadFileui
#define cutReadFileb shrReadFileb
#define cutReadFileub shrReadFileub
#define cutWriteFilef shrWriteFilef
#define cutWriteFiled shrWriteFiled
#define cutWriteFilei shrWriteFilei
#define cutWriteFileui shrWriteFileui
#define cutWriteFileb shrWriteFileb
#define cutWriteFileub shrWriteFileub
#define cutLoadPGMub shrLoadPGMub
#define cutLoadPGMf shrLoadPGMf
#define cutLoadPGMi shrLoadPGMi
#define cutLoadPGMs shrLoadPGMs
#define cutLoadPPMub shrLoadPPMub
#define cutLoadPPM4ub shrLoadPPM4ub
#define cutSavePGMub shrSavePGMub
#define cutSavePGMf shrSavePGMf
#define cutSavePGMi shrSavePGMi
#define cutSavePGMs shrSavePGMs
#define cutSavePPMub shrSavePPMub
#define cutSavePPM4ub shrSavePPM4ub
#define cutComparef shrComparef
#define cutComparefe shrComparefe
#define cutComparefet shrComparefet
#define cutCompareL2fe shrCompareL2fe
#define cutComparei shrComparei
#define cutCompareie shrCompareie
#define cutCompareiet shrCompareiet
#define cutCompareui shrCompareui
#define cutCompareuie shrCompareuie
#define cutCompareuiet shrCompareuiet
#define cutCompareuit shrCompareuit
#define cutCompareub shrCompareub
#define cutCompareube shrCompareube
#define cutCompareubet shrCompareubet
#define cutCompareubt shrCompareubt
#define cutComparePPM shrComparePPM
#define cutComparePGM shrComparePGM

#include <shrUtils.h>
