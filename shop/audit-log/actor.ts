/**
 * History: the tables write down themselves who changed what, in the statement of the change (migration
 * 0005). This is how a statement tells them who acts: it carries `setActor("$n")`, with `actorText()` as that parameter.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Who acts, and from where. Without `who` it is the store itself. */
export interface Actor {
  who: string | null;
  role: "user" | "admin" | "system";
  ip?: string;
  agent?: string;
}

const LONGEST_AGENT = 200;
const actorStorage = new AsyncLocalStorage<Actor>();

/** Does `work` in the name of `actor`; what nobody asked for, the store does by itself. */
export function runAsActor<Result>(actor: Actor, work: () => Result): Result {
  return actorStorage.run(actor, work);
}

/** Who acts at this moment; undefined: the store itself. */
export function currentActor(): Actor | undefined {
  return actorStorage.getStore();
}

/** The value for `setActor`: who acts at this moment. */
export function actorText(): string {
  const actor = actorStorage.getStore();
  if (!actor) return "";
  return JSON.stringify({ ...actor, ...(actor.agent && { agent: actor.agent.slice(0, LONGEST_AGENT) }) });
}

/**
 * The SQL that names the actor for the rest of the transaction: to be selected or returned by the statement
 * that makes the change, since the triggers run at its end. `parameter` is such as "$3".
 */
export function actorSql(parameter: string): string {
  return `set_config('stator.actor', ${parameter}, true)`;
}
