-- Say something at a table: counted, kept, cut to the latest, and whoever watches is woken, in one step.
--
-- KEYS  1 chat (sorted set)   2 count of this person (string)
-- ARGV  1 match   2 who   3 seat   4 text   5 at   6 most kept   7 messages …   8 … in so many seconds   9 channel
-- Gives {number, 0} said, {0, seconds to wait} too much.

if redis.call('INCR', KEYS[2]) == 1 then
  redis.call('EXPIRE', KEYS[2], ARGV[8])
elseif tonumber(redis.call('GET', KEYS[2])) > tonumber(ARGV[7]) then
  return {0, redis.call('TTL', KEYS[2])}
end

local newest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local number = tonumber(newest[2] or '0') + 1
local message = cjson.encode({id = number, at = ARGV[5], who = ARGV[2], seat = tonumber(ARGV[3]), text = ARGV[4]})
redis.call('ZADD', KEYS[1], number, message)
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[6]))
-- 0 means "look yourself": the log has not grown.
redis.call(string.sub(ARGV[9], 1, 4) == 'tl:{' and 'SPUBLISH' or 'PUBLISH', ARGV[9], ARGV[1] .. ' 0')
return {number, 0}
