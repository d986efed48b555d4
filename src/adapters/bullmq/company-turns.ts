import type { Redis } from 'ioredis';

/** Beyond this the queue takes no priorities; jobs that late run in the order in which they came. */
const LAST_TURN = 2_000_000;

/**
 * A job that waits already keeps its turn, and one that is asked for while it runs costs its company nothing until it is run again,
 * however often it is asked for. KEYS: the turns, the job's mark. ARGV: the company, the last turn there is.
 */
const TAKE = `
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(math.max(now, own) + 1, tonumber(ARGV[2]))
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('HSET', KEYS[1], ARGV[1], turn) end
return turn
`;

/** KEYS: the turns, the job's mark. ARGV: the company, the turn that it takes now, the job. */
const BEGIN = `
if redis.call('GET', KEYS[2]) ~= ARGV[3] then return 0 end
local turn = tonumber(ARGV[2])
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if turn - 1 > now then redis.call('HSET', KEYS[1], '', turn - 1) end
if turn > own then redis.call('HSET', KEYS[1], ARGV[1], turn) end
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

  /** The turn of a job, from 1; `markKey` exists while the same job waits or runs. */
  async take(companyId: string, markKey: string): Promise<number> {
    return Number(await this.redis.eval(TAKE, 2, this.key, markKey, companyId, LAST_TURN));
  }

  /** False when the mark is not the job's any more. */
  async begin(companyId: string, turn: number, mark: { readonly key: string; readonly id: string }): Promise<boolean> {
    return (await this.redis.eval(BEGIN, 2, this.key, mark.key, companyId, turn, mark.id)) === 1;
  }

  /** Begins to count anew. Only when nothing waits. */
  async reset(): Promise<void> {
    await this.redis.del(this.key);
  }
}
