# expect 2: ../fuzz/corpus/fuzz_ptx/mma.ptx:9: kernel k multiplies matrices, and GeForce GTX 480 has no tensor units (sm.tensor_units); use -g v100, or --functional for its results alone
run -g gtx480 ../fuzz/corpus/fuzz_ptx/mma.ptx --grid 1 --block 32
