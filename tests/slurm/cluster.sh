#!/usr/bin/env bash
# cluster.sh -- a real Slurm with two nodes, n1 and n2, on this machine, for tests.
#
#   cluster.sh start DIR [PID]   starts it and prints what to put into the environment (for eval);
#                                with PID, it is stopped when that process has ended, however it did
#   cluster.sh stop DIR          ends its jobs and daemons and removes DIR
#
# munged, slurmctld and two slurmd, with their keys, sockets, states and logs in DIR and on 127.0.0.1
# alone: nothing of the system's own Slurm or munge is touched, and several clusters do not see each
# other (each has its own key).  No root is needed.  Nothing but the cluster may have files of DIR open.
set -uo pipefail

die()
{
    echo "cluster.sh: $*" >&2
    exit 1
}

PATH=$PATH:/usr/sbin:/sbin

# ---- stopping

# Processes of the cluster: its daemons and their steps have a log in DIR open, its jobs have the
# environment of whoever submitted them and a job's number.
members()
{
    find /proc/[0-9]*/fd -lname "$1/*" 2>/dev/null | cut -d/ -f3 | sort -u
    grep -szlxF "SLURM_CONF=$1/slurm.conf" /proc/[0-9]*/environ | xargs -r grep -szl '^SLURM_JOB_ID=' | cut -d/ -f3
}

# Slurm's own way first: steps that lose their slurmctld wait for it.
end_jobs()
{
    local round
    export SLURM_CONF=$1/slurm.conf
    timeout 5 scancel -u "$(id -un)" 2>/dev/null || return
    for ((round = 0; round < 80; round++)); do
        [ -n "$(timeout 5 squeue -h 2>/dev/null)" ] || break
        sleep 0.1
    done
}

# Signals them until none is left, for a number of rounds of 0.1 s.
end_members()
{
    local signal=$1 rounds=$2 dir=$3 pids
    for ((; rounds > 0; rounds--)); do
        pids=$(members "$dir")
        [ -n "$pids" ] || return 0
        # shellcheck disable=SC2086
        kill "-$signal" $pids 2>/dev/null
        sleep 0.1
    done
    return 1
}

stop()
{
    local dir=$1
    [ -d "$dir" ] || return 0
    end_jobs "$dir"
    end_members TERM 30 "$dir" || end_members KILL 50 "$dir" || echo "cluster.sh: processes of $dir do not end" >&2
    rm -rf "$dir"
}

# ---- starting

write_conf()
{
    local dir=$1 port=$2 user
    user=$(id -un)
    cat >"$dir/slurm.conf" <<EOF
ClusterName=smelt
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
KillWait=5
MinJobAge=300
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 RealMemory=1024
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2 RealMemory=1024
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
EOF
}

daemon()
{
    local log=$1 dir=$2
    shift 2
    SLURM_CONF=$dir/slurm.conf setsid "$@" >"$log" 2>&1 </dev/null &
}

# Are both nodes there?  Not if a daemon has given up, which happens if somebody took its port.
wait_for_nodes()
{
    local dir=$1 round
    for ((round = 0; round < 300; round++)); do
        [ "$(SLURM_CONF=$dir/slurm.conf timeout 5 sinfo -h -N -o '%N %t' 2>/dev/null)" = $'n1 idle\nn2 idle' ] && return
        [ "$(jobs -r | wc -l)" -ge 4 ] || return 1
        sleep 0.1
    done
    return 1
}

start_at()
{
    local dir=$1 port=$2 n
    mkdir -p "$dir/state" || die "cannot make $dir"
    chmod 755 "$dir" # munged refuses a socket that others cannot reach
    (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
    write_conf "$dir" "$port"
    daemon "$dir/munged.out" "$dir" munged --foreground --force --num-threads=2 --key-file="$dir/munge.key" \
        --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" \
        --seed-file="$dir/munge.seed"
    for ((n = 0; n < 100; n++)); do
        [ ! -S "$dir/munge.socket" ] || break
        sleep 0.1
    done
    daemon "$dir/slurmctld.out" "$dir" slurmctld -D -f "$dir/slurm.conf"
    for n in n1 n2; do
        daemon "$dir/slurmd.$n.out" "$dir" slurmd -D -N $n -f "$dir/slurm.conf"
    done
    wait_for_nodes "$dir"
}

in_use()
{
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Below the ports that the kernel hands out by itself.
free_port()
{
    local port
    while :; do
        port=$((10000 + RANDOM % 20000))
        in_use $port || in_use $((port + 1)) || in_use $((port + 2)) || break
    done
    echo $port
}

# Stops the cluster when a process has ended: a test that is killed cannot do it.
keep_watch()
{
    local dir=$1 pid=$2
    while kill -0 "$pid" 2>/dev/null && [ -d "$dir" ]; do
        sleep 1
    done
    stop "$dir"
}

start()
{
    local dir=$1 pid=${2:-} try
    [ ! -e "$dir" ] || die "$dir is there already"
    for try in 1 2 3 4 5; do
        if start_at "$dir" "$(free_port)"; then
            if [ -n "$pid" ]; then # not as "|| .. &", which would keep the caller's pipe open
                keep_watch "$dir" "$pid" </dev/null >/dev/null 2>&1 &
            fi
            echo "export SLURM_CONF='$dir/slurm.conf'"
            return
        fi
        tail -n 5 "$dir"/*.out "$dir"/*.log >&2
        stop "$dir"
    done
    die "no cluster after $try tries"
}

[ $# -ge 2 ] || die "start DIR [PID] | stop DIR"
mkdir -p "$(dirname "$2")" || die "cannot make $2"
dir=$(cd "$(dirname "$2")" && pwd -P)/$(basename "$2")
case $1 in
start) start "$dir" "${3:-}" ;;
stop) stop "$dir" ;;
*) die "start DIR [PID] | stop DIR" ;;
esac
