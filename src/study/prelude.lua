-- prelude.lua -- the study language, as far as it is easier said in Lua (docs/STUDIES.md).
--
-- It is given `api`, functions in C (study_lua.c), which files do not see; what it makes global is for
-- them.  Messages have no line: the box adds that of the file.  Files can change global tables, so that
-- everything needed here is a local of ours.  It returns what is called when the runs are there.

local api = ...
local error, format, ipairs, pairs, tostring, type = error, string.format, ipairs, pairs, tostring, type
local concat, split, huge, floor = table.concat, split, math.huge, math.floor
local exp, log, sqrt, math_type = math.exp, math.log, math.sqrt, math.type
local length = api.length

local function fail(text, ...)
    error(format(text, ...), 0)
end

local function check_type(what, v, wanted)
    if v == nil then
        fail("%s is missing", what)
    elseif type(v) ~= wanted then
        fail("%s is no %s but a %s", what, wanted == "string" and "text" or wanted,
             type(v) == "string" and "text" or type(v))
    end
    return v
end

-- Of a call with a table: every field is one of these, "name:string"; a '?' behind it: may be left out.
local function check_fields(call, t, fields)
    if type(t) ~= "table" then
        fail("%s takes a table: %s { .. }", call, call)
    end
    local names, type_of = {}, {}
    for i, field in ipairs(fields) do
        local part = split(field, ":")
        names[i], type_of[part[1]] = part[1], part[2]
    end
    for k in pairs(t) do
        if not type_of[k] then
            api.no_such(tostring(k), names, format("%s: no field '%s'", call, tostring(k)))
        end
    end
    for _, name in ipairs(names) do
        local wanted = split(type_of[name], "?")
        if t[name] ~= nil or not wanted[2] then
            if wanted[1] ~= "any" or t[name] == nil then
                check_type(format("%s: %s", call, name), t[name], wanted[1])
            end
        end
    end
end

---- tables

function table.insert(list, at, v)
    local n = #list
    if v == nil then
        list[n + 1] = at
        return
    end
    if math_type(at) ~= "integer" or at < 1 or at > n + 1 then
        fail("insert: %s is no place in a list of %d", tostring(at), n)
    end
    for i = n, at, -1 do
        list[i + 1] = list[i]
    end
    list[at] = v
end

function table.remove(list, at)
    local n = #list
    at = at or n
    if n == 0 and (at == 0 or at == 1) then
        return nil
    end
    if math_type(at) ~= "integer" or at < 1 or at > n then
        fail("remove: %s is no place in a list of %d", tostring(at), n)
    end
    local v = list[at]
    for i = at, n - 1 do
        list[i] = list[i + 1]
    end
    list[n] = nil
    return v
end

local function before(a, b)
    return a < b
end

-- Stable, so that equal entries stay in their order.
local function sort(list, less)
    less = less or before
    local n, from, to = #list, {}, {}
    for i = 1, n do
        from[i] = list[i]
    end
    local width = 1
    while width < n do
        for lo = 1, n, 2 * width do
            local mid, hi = lo + width, lo + 2 * width
            mid, hi = mid < n + 1 and mid or n + 1, hi < n + 1 and hi or n + 1
            local a, b = lo, mid
            for i = lo, hi - 1 do
                if a < mid and (b >= hi or not less(from[b], from[a])) then
                    to[i], a = from[a], a + 1
                else
                    to[i], b = from[b], b + 1
                end
            end
        end
        from, to, width = to, from, 2 * width
    end
    for i = 1, n do
        list[i] = from[i]
    end
end

table.sort = sort

---- programs and series

local named = false
local is_series = {} -- what runs returned: its number, programs, base

local function check_named(call)
    if not named then
        fail("%s: study { name = .. } comes first", call)
    end
end

function study(t)
    check_fields("study", t, { "name:string", "title:string", "doc:string?" })
    if named then
        fail("study: there is one already")
    end
    named = true
    api.study(t.name, t.title, t.doc)
end

function set(name, how)
    check_type("set: its name", name, "string")
    how = how or {}
    check_fields("set", how, { "thin:number?", "size:string?" })
    if how.thin and (math_type(how.thin) ~= "integer" or how.thin < 1) then
        fail("set: thin = %s; it takes 1, 2, ..", tostring(how.thin))
    end
    if how.size and how.size ~= "small" and how.size ~= "large" then
        fail("set: size = '%s'; there are small and large", how.size)
    end
    return api.set(name, how.thin or 1, how.size)
end

-- The words of a text.
local function words(text)
    local list = {}
    for _, word in ipairs(split(text, " ")) do
        if word ~= "" then
            list[#list + 1] = word
        end
    end
    return list
end

local function text_list(what, v)
    if v == nil then
        return {}
    elseif type(v) == "string" then
        return { v }
    end
    check_type(what, v, "table")
    local list = {}
    for i = 1, length(v) do
        if math_type(v[i]) then
            list[i] = tostring(v[i])
        else
            list[i] = check_type(format("%s: entry %d", what, i), v[i], "string")
        end
    end
    return list
end

local function program_of(call, p)
    if type(p) == "string" then
        local word = words(p)
        local program, args = word[1], {}
        for i = 2, #word do
            args[i - 1] = word[i]
        end
        if not program then
            fail("%s: a program without a name", call)
        end
        return { label = concat(word, " "), program = program, args = args }
    end
    if type(p) ~= "table" then
        fail("%s: a program is a text or a table, no %s", call, type(p))
    end
    check_fields(call, p, { "label:string?", "program:string", "args:any?", "kernel:string?" })
    return { label = p.label or p.program, program = p.program, args = text_list(call .. ": args", p.args),
             kernel = p.kernel }
end

local function program_list(call, t)
    check_type(call .. ": programs", t, "table")
    local list, seen = {}, {}
    for i = 1, length(t) do
        local p = program_of(call, t[i])
        if seen[p.label] then
            fail("%s: two programs have the label '%s'", call, p.label)
        end
        list[i], seen[p.label] = p, i
    end
    for k in pairs(t) do
        if math_type(k) ~= "integer" then
            fail("%s: '%s' is no place in a list of programs", call, tostring(k))
        end
    end
    if #list == 0 then
        fail("%s: no programs", call)
    end
    return list, seen
end

function programs(t)
    return (program_list("programs", t))
end

local function check_base(base, list)
    local b = is_series[base]
    if not b then
        fail("runs: base is no series; it is what another runs { .. } gave")
    end
    for _, p in ipairs(list) do
        if not b.place[p.label] then
            fail("runs: base has no program '%s'", p.label)
        end
    end
    return b
end

local function default_label(gpu, mech, settings)
    local all = concat(mech, " ")
    all = all .. (all ~= "" and #settings > 0 and " " or "") .. concat(settings, " ")
    return all ~= "" and all or gpu
end

function runs(t)
    check_named("runs")
    check_fields("runs", t, { "programs:table", "gpu:string?", "set:any?", "mech:any?", "base:table?",
                              "label:string?", "sample:number?" })
    local list, place = program_list("runs", t.programs)
    local gpu, settings = t.gpu or "gtx480", text_list("runs: set", t.set)
    local mech, base = text_list("runs: mech", t.mech), t.base and check_base(t.base, list)
    if t.sample and (math_type(t.sample) ~= "integer" or t.sample < 1) then
        fail("runs: sample = %s; it takes cycles, 1 or more", tostring(t.sample))
    end
    local label = t.label or default_label(gpu, mech, settings)
    local id = api.series(label, list, gpu, settings, mech, t.sample or 0, base and base.id)
    local series = { label = label, programs = program_list("runs", list) }
    is_series[series] = { id = id, label = label, programs = list, place = place, base = base }
    return series
end

---- values

local function need_series(call, v)
    return is_series[v] or fail("%s: no series; it is what runs { .. } gave", call)
end

local function need_function(call, v)
    return check_type(call .. ": metric", v, "function")
end

local function number_or_nil(what, v)
    if v == nil or v ~= v then
        return nil
    elseif type(v) ~= "number" then
        fail("%s is no number but a %s", what, type(v) == "string" and "text" or type(v))
    elseif v == huge or v == -huge then
        fail("%s is infinite; was divided by 0? (nil is no value)", what)
    end
    return v
end

-- Its run and its base's; nil if one of them failed, or is the base's if there is none.
local function runs_at(s, i)
    if not api.ready() then
        fail("there are no results yet: put this into a function")
    end
    local run = api.run(s.id, i, s.programs[i].kernel)
    if run == nil or not s.base then
        return run
    end
    local k = s.base.place[s.programs[i].label]
    local base = api.run(s.base.id, k, s.base.programs[k].kernel)
    if base == nil then
        return nil
    end
    return run, base
end

-- Programs as metrics get them: theirs to change.
local function call_metric(s, i, metric)
    local run, base = runs_at(s, i)
    if run == nil then
        return nil
    end
    local p = s.programs[i]
    return metric(run, base, { label = p.label, program = p.program, args = p.args, kernel = p.kernel })
end

local function value_at(s, i, metric)
    local v = call_metric(s, i, metric)
    if v == nil then
        return nil
    end
    return number_or_nil(format("the metric of '%s' (%s)", s.programs[i].label, s.label), v)
end

function values(series, metric)
    local s = need_series("values", series)
    need_function("values", metric)
    local list = { n = #s.programs }
    for i = 1, list.n do
        list[i] = value_at(s, i, metric)
    end
    return list
end

function value(series, label, metric)
    local s = need_series("value", series)
    need_function("value", metric)
    local i = s.place[check_type("value: its label", label, "string")]
    if not i then
        return nil
    end
    return value_at(s, i, metric)
end

function run(series, label)
    local s = need_series("run", series)
    local i = s.place[check_type("run: its label", label, "string")]
    if not i then
        return nil
    end
    return (runs_at(s, i))
end

function count(series, metric)
    local s = need_series("count", series)
    need_function("count", metric)
    local n = 0
    for i = 1, #s.programs do
        local v = call_metric(s, i, metric)
        if v ~= nil and type(v) ~= "boolean" then
            fail("the metric of '%s' (%s) is no true or false but a %s", s.programs[i].label, s.label,
                 type(v) == "string" and "text" or type(v))
        end
        n = n + (v and 1 or 0)
    end
    return n
end

-- The numbers of a list or of (SERIES, METRIC), without those that are none.
local function numbers(call, list, metric)
    local found = {}
    if is_series[list] then
        local s = is_series[list]
        need_function(call, metric)
        for i = 1, #s.programs do
            found[#found + 1] = value_at(s, i, metric)
        end
        return found
    end
    if type(list) ~= "table" then
        fail("%s: a list or (SERIES, METRIC), no %s", call, type(list))
    end
    for i = 1, length(list) do
        found[#found + 1] = number_or_nil(format("%s: entry %d", call, i), list[i])
    end
    return found
end

local aggregate = {}

function aggregate.sum(list)
    local s = 0
    for _, v in ipairs(list) do
        s = s + v
    end
    return s
end

function aggregate.mean(list)
    if #list > 0 then
        return aggregate.sum(list) / #list
    end
end

function aggregate.geomean(list)
    local s, n = 0, 0
    for _, v in ipairs(list) do
        if v > 0 then
            s, n = s + log(v), n + 1
        end
    end
    if n > 0 then
        return exp(s / n)
    end
end

function aggregate.least(list)
    local best
    for _, v in ipairs(list) do
        best = (not best or v < best) and v or best
    end
    return best
end

function aggregate.most(list)
    local best
    for _, v in ipairs(list) do
        best = (not best or v > best) and v or best
    end
    return best
end

-- Between the two nearest of a sorted list, as far as `part` says (0: the first, 1: the last).
local function quantile(sorted, part)
    if #sorted == 0 then
        return nil
    end
    local at = 1 + part * (#sorted - 1)
    local i = floor(at)
    local next = sorted[i + 1] or sorted[i]
    return sorted[i] + (at - i) * (next - sorted[i])
end

function aggregate.median(list)
    sort(list)
    return quantile(list, 0.5)
end

for name, f in pairs(aggregate) do
    api.global(name, function(list, metric)
        return f(numbers(name, list, metric))
    end)
end

function quartiles(list, metric)
    local sorted = numbers("quartiles", list, metric)
    sort(sorted)
    if #sorted == 0 then
        return { n = 5 }
    end
    return { sorted[1], quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75),
             sorted[#sorted], n = 5 }
end

-- Entries that both have.
local function both(call, x, y)
    check_type(call .. ": its first list", x, "table")
    check_type(call .. ": its second list", y, "table")
    local a, b = {}, {}
    for i = 1, length(x) do
        local v = number_or_nil(format("%s: entry %d", call, i), x[i])
        local w = number_or_nil(format("%s: entry %d", call, i), y[i])
        if v and w then
            a[#a + 1], b[#b + 1] = v, w
        end
    end
    return a, b
end

local function correlation(x, y)
    if #x < 2 then
        return nil
    end
    local mx, my = aggregate.mean(x), aggregate.mean(y)
    local xy, xx, yy = 0, 0, 0
    for i = 1, #x do
        local dx, dy = x[i] - mx, y[i] - my
        xy, xx, yy = xy + dx * dy, xx + dx * dx, yy + dy * dy
    end
    if xx > 0 and yy > 0 then
        return xy / sqrt(xx * yy)
    end
end

function pearson(x, y)
    return correlation(both("pearson", x, y))
end

-- Places in order; the equal share the mean of theirs.
local function ranks(list)
    local order, rank = {}, {}
    for i = 1, #list do
        order[i] = i
    end
    sort(order, function(a, b)
        return list[a] < list[b]
    end)
    local i = 1
    while i <= #order do
        local k = i
        while k < #order and list[order[k + 1]] == list[order[i]] do
            k = k + 1
        end
        for m = i, k do
            rank[order[m]] = (i + k) / 2
        end
        i = k + 1
    end
    return rank
end

function spearman(x, y)
    local a, b = both("spearman", x, y)
    return correlation(ranks(a), ranks(b))
end

---- figures

local declared, figure_line = {}, {}

local function declare(evaluate)
    declared[#declared + 1] = { line = api.line(), evaluate = evaluate }
end

local function check_columns(columns)
    local n = length(columns)
    for i = 1, n do
        check_type(format("figure: columns: entry %d", i), columns[i], "string")
    end
    if n == 0 then
        fail("figure: columns is empty")
    end
    return n
end

-- A row's cells, as many as there are columns.
local function check_row(name, i, row, n)
    check_type(format("figure %s: row %d", name, i), row, "table")
    local cells = { n = n }
    if length(row) > n then
        fail("figure %s: row %d has %d cells, and there are %d columns", name, i, length(row), n)
    end
    for k = 1, n do
        local v = row[k]
        if type(v) ~= "string" then
            v = number_or_nil(format("figure %s: row %d, cell %d", name, i, k), v)
        end
        cells[k] = v
    end
    if cells[1] == nil then
        fail("figure %s: row %d has nothing in its first cell", name, i)
    end
    return cells
end

local function check_rows(name, rows, n)
    check_type(format("figure %s: what rows returned", name), rows, "table")
    local list = { n = length(rows) }
    for i = 1, list.n do
        list[i] = check_row(name, i, rows[i], n)
    end
    return list
end

local function finish_figure(t, columns, rows, marks, plain)
    api.figure(t.name, t.kind, t.title or t.name, t.unit or "", t.doc, t.x_title, marks or 0, plain or 0,
               t.log_x, t.log_y, columns, check_rows(t.name, rows, length(columns)))
end

local function copy(list)
    local new = {}
    for i = 1, length(list) do
        new[i] = list[i]
    end
    return new
end

local function figure_of_rows(t)
    for _, field in ipairs { "metric", "mean", "paper", "where", "first" } do
        if t[field] ~= nil then
            fail("figure: %s goes with series, not with rows", field)
        end
    end
    check_type("figure: columns", t.columns, "table")
    local n, marks = check_columns(t.columns), t.marks or 0
    if math_type(marks) ~= "integer" or marks < 0 or (marks > 0 and marks > n - 2) then
        fail("figure: marks = %s of %d columns", tostring(marks), n)
    end
    local columns, rows = copy(t.columns), t.rows
    declare(function()
        finish_figure(t, columns, rows(), marks, t.plain)
    end)
end

local function mean_list(mean)
    local list = text_list("figure: mean", mean)
    for _, name in ipairs(list) do
        if not aggregate[name] or name == "sum" then
            api.no_such(name, { "mean", "geomean", "median", "least", "most" },
                        format("figure: mean: there is no '%s'", name))
        end
    end
    return list
end

-- The paper's values by row: of a list, those of the first mean.
local function marks_of(paper, means)
    if paper == nil then
        return nil
    end
    for k, v in pairs(paper) do
        if type(k) == "string" then
            check_type(format("figure: paper: %s", k), v, "table")
        elseif #means == 0 then
            fail("figure: paper is a list of means, and there is no mean")
        else
            return { [means[1]] = paper }
        end
    end
    return paper
end

-- The first series says which programs, and in which order.
local function rows_of_series(list, metric, where)
    local rows = {}
    local first = list[1]
    for i, p in ipairs(first.programs) do
        local shown = true
        if where then
            shown = call_metric(first, i, where)
        end
        if shown then
            local row = { p.label, n = #list + 1 }
            for k, s in ipairs(list) do
                local at = s.place[p.label]
                row[k + 1] = at and value_at(s, at, metric)
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

-- Of the first `plain` rows, whose series are n.
local function mean_row(name, rows, plain, n)
    local row = { name, n = n + 1 }
    for k = 2, n + 1 do
        local column = {}
        for i = 1, plain do
            column[#column + 1] = rows[i][k]
        end
        row[k] = aggregate[name](column)
    end
    return row
end

local function figure_of_series(t)
    if t.columns ~= nil or t.marks ~= nil or t.plain ~= nil then
        fail("figure: columns, marks and plain go with rows, not with series")
    end
    need_function("figure", t.metric)
    local list, columns = {}, { t.first or "program" }
    for i = 1, length(t.series) do
        list[i] = need_series(format("figure: series: entry %d", i), t.series[i])
        columns[i + 1] = list[i].label
    end
    if #list == 0 then
        fail("figure: series is empty")
    end
    local means = mean_list(t.mean)
    local marks = marks_of(t.paper, means)
    for i = 1, marks and #list or 0 do
        columns[#columns + 1] = "paper " .. list[i].label
    end
    declare(function()
        local rows = rows_of_series(list, t.metric, t.where)
        local plain = #rows
        for i, name in ipairs(means) do
            rows[plain + i] = mean_row(name, rows, plain, #list)
        end
        for _, row in ipairs(rows) do
            local paper = marks and marks[row[1]]
            for i = 1, paper and #list or 0 do
                row[1 + #list + i] = paper[i]
            end
            row.n = #columns
        end
        finish_figure(t, columns, rows, marks and #list, #means > 0 and plain or 0)
    end)
end

function figure(t)
    check_named("figure")
    check_fields("figure", t, { "name:string", "kind:string", "title:string?", "unit:string?",
                                "doc:string?", "columns:table?", "rows:function?", "marks:number?",
                                "plain:number?", "log_x:boolean?", "log_y:boolean?",
                                "x_title:string?", "series:table?", "metric:any?", "mean:any?",
                                "paper:table?", "where:function?", "first:string?" })
    api.check_figure(t.name, t.kind)
    if figure_line[t.name] then
        fail("figure: there is a '%s' already, in line %d", t.name, figure_line[t.name])
    end
    figure_line[t.name] = api.line()
    if (t.rows == nil) == (t.series == nil) then
        fail("figure: it has either rows or series")
    end
    local same = {} -- what the file does to its table later does not matter
    for k, v in pairs(t) do
        same[k] = v
    end
    if t.rows then
        figure_of_rows(same)
    else
        figure_of_series(same)
    end
end

---- what the paper says

local function judge(t, ours)
    if ours == nil then
        return false
    elseif t.within then
        return ours >= t.paper - t.within and ours <= t.paper + t.within
    elseif t.percent then
        local away = t.paper * t.percent / 100
        away = away < 0 and -away or away
        return ours >= t.paper - away and ours <= t.paper + away
    end
    local neutral = t.neutral or 0
    return (t.paper - neutral) * (ours - neutral) > 0 or (t.paper == neutral and ours == neutral)
end

function target(t)
    check_named("target")
    check_fields("target", t, { "where:string", "what:string", "unit:string?", "paper:number",
                                "ours:function", "within:number?", "percent:number?",
                                "sign:boolean?", "neutral:number?" })
    local n = (t.within and 1 or 0) + (t.percent and 1 or 0) + (t.sign and 1 or 0)
    if n ~= 1 then
        fail("target: it has one of within, percent and sign")
    end
    if t.neutral and not t.sign then
        fail("target: neutral goes with sign")
    end
    local check = t.sign and (t.neutral and format("sign of %s", t.neutral) or "sign")
        or t.within and format("within %s", t.within) or format("within %s %%", t.percent)
    declare(function()
        local ours = number_or_nil("target: ours", t.ours())
        api.target(t.where, t.what, t.unit or "", t.paper, ours, nil, check, judge(t, ours))
    end)
end

-- "gates 21.5 < warped 31.5": labels in the order of a list.
local function in_order(labels, list, with_values)
    local order, part = {}, {}
    for i = 1, #labels do
        order[i] = i
    end
    sort(order, function(a, b)
        return list[a] < list[b]
    end)
    for i, k in ipairs(order) do
        local equal = i > 1 and list[k] == list[order[i - 1]]
        part[i] = (i == 1 and "" or equal and " = " or " < ") .. labels[k]
            .. (with_values and format(" %.4g", list[k]) or "")
    end
    return concat(part)
end

-- The first n entries, and how many of them are numbers.
local function number_list(what, list, n)
    check_type(what, list, "table")
    local new, found = {}, 0
    for i = 1, n do
        new[i] = number_or_nil(format("%s: entry %d", what, i), list[i])
        found = found + (new[i] and 1 or 0)
    end
    if length(list) > n then
        fail("%s has %d entries for %d labels", what, length(list), n)
    end
    return new, found
end

local function same_order(paper, ours)
    for i = 1, #paper do
        for k = 1, #paper do
            if paper[i] < paper[k] and not (ours[i] < ours[k]) then
                return false
            end
        end
    end
    return true
end

function order(t)
    check_named("order")
    check_fields("order", t, { "where:string", "what:string", "labels:table", "paper:table",
                               "ours:function" })
    local labels = text_list("order: labels", t.labels)
    local paper, found = number_list("order: paper", t.paper, #labels)
    if found ~= #labels or #labels < 2 then
        fail("order: paper has %d values for %d labels", found, #labels)
    end
    declare(function()
        local ours, n = number_list("order: what ours returned", t.ours(), #labels)
        local whole = n == #labels
        api.target(t.where, format("%s: %s", t.what, in_order(labels, paper, false)), "", nil, nil,
                   whole and in_order(labels, ours, true) or "not all were measured", "order",
                   whole and same_order(paper, ours))
    end)
end

local claimed = {}

function claim(t)
    check_named("claim")
    check_fields("claim", t, { "where:string", "text:string", "check:function" })
    declare(function()
        local met, measured = t.check()
        if met == nil then
            return
        end
        check_type("claim: what check returned first", met, "boolean")
        if measured == nil then
            measured = met and "yes" or "no"
        elseif type(measured) == "number" then
            measured = tostring(measured)
        end
        check_type("claim: what check returned second", measured, "string")
        claimed[#claimed + 1] = { t.where, t.text, measured, met and "yes" or "no" }
        api.target(t.where, t.text, "", nil, nil, measured, "claim", met)
    end)
end

-- Rows for a figure: of the claims before it, as declarations are evaluated in their order.
function claims()
    local rows = {}
    for i, row in ipairs(claimed) do
        rows[i] = copy(row)
    end
    return rows
end

local number_line = {}

function number(name, f)
    check_named("number")
    check_type("number: its name", name, "string")
    check_type(format("number '%s': what computes it", name), f, "function")
    if number_line[name] then
        fail("number: there is a '%s' already, in line %d", name, number_line[name])
    end
    number_line[name] = api.line()
    declare(function()
        api.number(name, number_or_nil(format("number '%s'", name), f()))
    end)
end

local text_line = {}

function text(t)
    check_named("text")
    check_fields("text", t, { "name:string", "lines:function" })
    api.check_text(t.name)
    if text_line[t.name] then
        fail("text: there is a '%s' already, in line %d", t.name, text_line[t.name])
    end
    text_line[t.name] = api.line()
    declare(function()
        local lines = t.lines()
        check_type(format("text '%s': what lines returned", t.name), lines, "table")
        for i, line in ipairs(lines) do
            check_type(format("text '%s': line %d", t.name, i), line, "string")
        end
        api.text(t.name, concat(lines, "\n") .. "\n")
    end)
end

---- when the file has been read, and when the runs are there

return {
    check = function()
        if not named then
            fail("no study { name = .. } in it")
        end
    end,
    evaluate = function()
        claimed = {}
        for _, d in ipairs(declared) do
            api.at(d.line)
            d.evaluate()
        end
    end,
}
