import type { Redis } from 'ioredis';

/** Beyond this the queue takes no priorities; jobs that late run in the order in which they came. */
const LAST_TURN = 2_000_000;

/**
 * A job that waits already keeps its turn. KEYS: the turns, the job's mark. ARGV: the company, the last turn there is.
 */
const TAKE = `
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(math.max(now, own) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], ARGV[1], turn)
return turn
`;

/** KEYS: the turns. ARGV: the turn that is taken now. */
const BEGIN = `
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
if tonumber(ARGV[1]) - 1 > now then redis.call('HSET', KEYS[1], '', ARGV[1] - 1) end
return 1
`;

/**
 * Lets companies take turns in a queue with priorities, after start-time fair queueing (Goyal, Vin, Cheng, 1996): each job of a
 * company gets the turn after its last one, or after the one that is being taken now. A thousand jobs of one company delay another's
 * by one run.
 */
export class CompanyTurns {
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
  ) {}

  /** The turn of a new job, from 1; `markKey` exists while the same job waits. */
  async take(companyId: string, markKey: string): Promise<number> {
    return Number(await this.redis.eval(TAKE, 2, this.key, markKey, companyId, LAST_TURN));
  }

  async begin(turn: number): Promise<void> {
    await this.redis.eval(BEGIN, 1, this.key, turn);
  }

  /** Begins to count anew. Only when nothing waits. */
  async reset(): Promise<void> {
    await this.redis.del(this.key);
  }
}
