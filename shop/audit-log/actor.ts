/** Triggers write the log (migration 0005), so changing statements contain `actorSql("$n")` with `actorText()`. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Actor {
  who: string | null;
  role: "user" | "admin" | "system";
  ip?: string;
  agent?: string;
  /** the traceparent of the request, whose trace the emails that it queues continue (migration 0061) */
  trace?: string | undefined;
}

const MAX_AGENT_LENGTH = 200;
const actorStorage = new AsyncLocalStorage<Actor>();

export function runAsActor<Result>(actor: Actor, run: () => Result): Result {
  return actorStorage.run(actor, run);
}

export function currentActor(): Actor | undefined {
  return actorStorage.getStore();
}

export function actorText(): string {
  const actor = actorStorage.getStore();
  if (!actor) return "";
  return JSON.stringify({ ...actor, ...(actor.agent && { agent: actor.agent.slice(0, MAX_AGENT_LENGTH) }) });
}

/** SQL that sets the actor. The changing statement selects or returns it, since its triggers run at the end. */
export function actorSql(parameter: string): string {
  return `set_config('stator.actor', ${parameter}, true)`;
}
