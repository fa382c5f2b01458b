import type { FastifyRateLimitStore } from "@fastify/rate-limit";
import { LRUCache } from "lru-cache";

const MAX_CLIENTS = 5000;

interface Period {
  current: number;
  startedAt: number;
}

/** As the library's own, which goes by the clock of the machine: set back by an hour, it counts one period for an hour. */
export class RequestCounts implements FastifyRateLimitStore {
  #periods = new LRUCache<string, Period>({ max: MAX_CLIENTS });

  incr(client: string, callback: Parameters<FastifyRateLimitStore["incr"]>[1], periodMs: number): void {
    const now = performance.now();
    const known = this.#periods.get(client);
    const period = known && now < known.startedAt + periodMs ? known : { current: 0, startedAt: now };
    period.current += 1;
    this.#periods.set(client, period);
    callback(null, { current: period.current, ttl: period.startedAt + periodMs - now });
  }

  child(): RequestCounts {
    return new RequestCounts();
  }
}
