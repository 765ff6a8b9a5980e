import { unit } from "../meter.ts";
import { placeRetryMs } from "../rate-counters.ts";
import { type LuaScript, luaScript } from "./lua-script.ts";

/**
 * The counters of one subject (a key or an account) are two keys of Redis:
 *
 * - a hash: the levels of its meters (`requests`, `tokens`, `reads`) as they were at `at` (unix milliseconds of the server),
 *   the tokens `held` by running calls, and the limits that its last request bore (0: none);
 * - a sorted set of its running calls, `<place>:<reserve>` by the moment at which the place is given up unless it is
 *   renewed: so the places of a gateway that died come back.
 *
 * The arithmetic is that of meter.ts, and as exact: Lua's numbers are the same doubles, all values are whole and far below
 * 2^53. All keys of one script stand on one node of a cluster, by their tag.
 */
const prelude = `
local unit = ${unit}

-- ARGV[1]: unix milliseconds, for tests alone. Empty: the server's own clock, so that gateways need not agree on theirs.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function whole(number)
  return string.format('%.0f', number)
end

-- A subject as it stands now, under its present limits, or those of its last request.
local function load(key, request_limit, token_limit)
  local known = redis.call('HMGET', key, 'at', 'requests', 'tokens', 'reads', 'held', 'request_limit', 'token_limit')
  local subject = {
    key = key,
    request_limit = request_limit or tonumber(known[6]) or 0,
    token_limit = token_limit or tonumber(known[7]) or 0,
    held = tonumber(known[5]) or 0,
  }
  local at = tonumber(known[1]) or now
  -- A clock that was set back by more than a little does not lock a key until it has caught up.
  if at > now + 1000 then at = now end
  local span = math.max(0, now - at)
  subject.at = math.max(at, now)
  local function drained(level, limit)
    if limit == 0 then return 0 end
    return math.max(0, (tonumber(level) or 0) - span * limit)
  end
  subject.requests = drained(known[2], subject.request_limit)
  subject.tokens = drained(known[3], subject.token_limit)
  subject.reads = drained(known[4], subject.request_limit)
  return subject
end

-- What nobody uses is forgotten some minutes after it would equal nothing.
local forget = 600000

local function save(subject)
  redis.call('HSET', subject.key, 'at', whole(subject.at), 'requests', whole(subject.requests), 'tokens', whole(subject.tokens),
    'reads', whole(subject.reads), 'held', whole(subject.held), 'request_limit', whole(subject.request_limit),
    'token_limit', whole(subject.token_limit))
  local empty = 0
  if subject.request_limit > 0 then empty = math.max(subject.requests, subject.reads) / subject.request_limit end
  if subject.token_limit > 0 then empty = math.max(empty, subject.tokens / subject.token_limit) end
  redis.call('PEXPIRE', subject.key, whole(math.ceil(empty) + forget))
end

local function wait_for(level, limit, uses, held)
  local over = level + (held + uses - limit) * unit
  if limit == 0 or over <= 0 then return 0 end
  return math.max(1, math.ceil(math.min(over, level) / limit))
end

local function reserve_of(place)
  return tonumber(string.match(place, ':(%d+)$'))
end
`;

/**
 * Lets a call in. KEYS: hash and places of each subject. ARGV: time, lifetime of a place (ms), place, reserve, and of each
 * subject its limits of requests, tokens and calls at once. Answers: 0 or which limit is reached (1 concurrency, 2 requests,
 * 3 tokens), whose (from 1), the wait, and of each subject the levels of requests and tokens and what is held.
 */
export const admitScript: LuaScript = luaScript(`${prelude}
local lifetime, place, reserve = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local subjects = {}
for index = 1, #KEYS / 2 do
  local limits = 2 + 3 * index
  local subject = load(KEYS[2 * index - 1], tonumber(ARGV[limits]), tonumber(ARGV[limits + 1]))
  subject.concurrency = tonumber(ARGV[limits + 2])
  subject.places = KEYS[2 * index]
  local lost = redis.call('ZRANGEBYSCORE', subject.places, '-inf', whole(now))
  for _, gone in ipairs(lost) do subject.held = math.max(0, subject.held - reserve_of(gone)) end
  if #lost > 0 then redis.call('ZREMRANGEBYSCORE', subject.places, '-inf', whole(now)) end
  subject.running = redis.call('ZCARD', subject.places)
  if subject.running == 0 then subject.held = 0 end
  subjects[index] = subject
end

local reached, whose, wait = 0, 0, 0
local function look(limit, wait_of)
  if reached > 0 then return end
  for index, subject in ipairs(subjects) do
    local own = wait_of(subject)
    if own > wait then reached, whose, wait = limit, index, own end
  end
end
look(1, function(subject)
  return subject.concurrency > 0 and subject.running >= subject.concurrency and ${placeRetryMs} or 0
end)
look(2, function(subject) return wait_for(subject.requests, subject.request_limit, 1, 0) end)
look(3, function(subject) return wait_for(subject.tokens, subject.token_limit, reserve, subject.held) end)

local answer = { reached, whose, wait }
for _, subject in ipairs(subjects) do
  if reached == 0 then
    if subject.request_limit > 0 then subject.requests = subject.requests + unit end
    subject.held = subject.held + reserve
    redis.call('ZADD', subject.places, whole(now + lifetime), place)
    redis.call('PEXPIRE', subject.places, whole(lifetime + forget))
  end
  save(subject)
  table.insert(answer, subject.requests)
  table.insert(answer, subject.tokens)
  table.insert(answer, subject.held)
end
return answer
`);

/**
 * Lets a token count or a list in. KEYS: hash of each subject. ARGV: time, and of each subject its limits of requests and
 * tokens. Answers: whose limit is reached (from 1; 0: none), the wait, and the level of each subject.
 */
export const readScript: LuaScript = luaScript(`${prelude}
local subjects = {}
local whose, wait = 0, 0
for index, key in ipairs(KEYS) do
  local subject = load(key, tonumber(ARGV[2 * index]), tonumber(ARGV[2 * index + 1]))
  local own = wait_for(subject.reads, subject.request_limit, 1, 0)
  if own > wait then whose, wait = index, own end
  subjects[index] = subject
end
local answer = { whose, wait }
for _, subject in ipairs(subjects) do
  if whose == 0 and subject.request_limit > 0 then subject.reads = subject.reads + unit end
  save(subject)
  table.insert(answer, subject.reads)
end
return answer
`);

/**
 * Ends a call. KEYS: as for the admission. ARGV: time, place, tokens used, and 1 where the call was never let in, so that
 * its request is given back. Only where the place is still held: however often it is asked, it counts once. Answers: how
 * many subjects held it.
 */
export const settleScript: LuaScript = luaScript(`${prelude}
local place, used, undone = ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1'
local found = 0
for index = 1, #KEYS / 2 do
  if redis.call('ZREM', KEYS[2 * index], place) == 1 then
    local subject = load(KEYS[2 * index - 1])
    subject.held = math.max(0, subject.held - reserve_of(place))
    if subject.token_limit > 0 then subject.tokens = subject.tokens + used * unit end
    if undone then subject.requests = math.max(0, subject.requests - unit) end
    save(subject)
    found = found + 1
  end
end
return { found }
`);

/**
 * Renews places, and takes them anew where they are lost (the server was emptied, or could not be reached for long). KEYS:
 * hash and places of one subject. ARGV: time, lifetime of a place (ms), the limits of requests and tokens where the subject
 * is not known any more, places. Answers: how many were taken anew.
 */
export const renewScript: LuaScript = luaScript(`${prelude}
local lifetime = tonumber(ARGV[2])
local unknown = redis.call('EXISTS', KEYS[1]) == 0
local subject = load(KEYS[1], unknown and tonumber(ARGV[3]) or nil, unknown and tonumber(ARGV[4]) or nil)
local anew = 0
for index = 5, #ARGV do
  if redis.call('ZADD', KEYS[2], whole(now + lifetime), ARGV[index]) == 1 then
    subject.held = subject.held + reserve_of(ARGV[index])
    anew = anew + 1
  end
end
redis.call('PEXPIRE', KEYS[2], whole(lifetime + forget))
save(subject)
return { anew }
`);

/** All of them, so that a server can be told before they are needed. */
export const rateScripts: readonly LuaScript[] = [admitScript, readScript, settleScript, renewScript];
