# Mechanisms in company, a line each: who, on which GPU, with which options.  Sourced; `each_in_company COMMAND..` calls
# COMMAND with a name and the options of each.  Every pair that does not exclude each other is here (complete.sh).
amoeba='amoeba:predictor=always,threshold=1,period=100'
few='--set gpu.n_sm=4 --set sm.max_cta=1'
wide='--set sm.n_warp=32 --set sm.max_threads=1024'
split='--set sm.sp_split=on'

companies="
amoeba+gates    -g amoeba $split $few -m $amoeba -m gates
gates+amoeba    -g amoeba $split $few -m gates -m $amoeba,mode=direct_split
bind+gates      -g gates $wide -m bind:kind=join,late=1 -m gates
bind+dws        -g gates $wide -m bind:kind=lend,size=3 -m dws:when=both,least=1
buddy+gates     -g gates -m buddy:size=4,regroup=halfway -m gates:variant=naive
dws+gates       -g gates -m dws:when=both,memory=aggressive,least=1 -m gates
dws+share       -g share -m dws:when=both,least=1 -m share:scheme=occ
gates+share     -g share $split -m gates -m share:scheme=bal
gates+socgpu    -g socgpu $split -m gates -m socgpu:dual=smart
share+socgpu    -g share -m share:scheme=bigsm -m socgpu:entries=8
gates+share+socgpu  -g share $split -m gates -m share:scheme=bigsm_occ -m socgpu
dws+gates+share     -g share $split -m dws:when=both,least=1 -m gates -m share:scheme=bigsm
bind+dws+gates      -g gates $wide -m bind:kind=wide -m dws:when=both,least=1 -m gates
"

each_in_company()
{
    local who options
    while read -r who options; do
        [ -z "$who" ] || "$@" "$who" "$options"
    done <<<"$companies"
}
