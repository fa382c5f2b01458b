/** Signed-in buyers, and products with sufficient stock, created through the store's own endpoints. */
import type { RunningStore } from "./processes.ts";

export interface Buyer {
  id: string;
  email: string;
  name: string;
  token: string;
  /** the Cookie header of the session */
  cookie: string;
}

export interface BenchTool {
  _id: string;
  price: number;
}

const TOOLS = 200;

/** Registers this many buyers; each has a live session and a token. */
export async function enrolBuyers(store: RunningStore, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (let number = 0; number < count; number += 8) {
    const group = Array.from({ length: Math.min(8, count - number) }, (_, index) => number + index);
    buyers.push(...(await Promise.all(group.map((one) => enrol(store, one)))));
  }
  return buyers;
}

async function enrol(store: RunningStore, number: number): Promise<Buyer> {
  const email = `buyer-${number}-${Date.now()}@bench.example`;
  const name = `Buyer ${number}`;
  return { email, name, ...(await tokenFor(store, "sign-up", { email, name, password: "bench-buyer" })) };
}

/** Adds products (200 by default) with a million pieces each, at a dollar. */
export async function addTools(store: RunningStore, count = TOOLS): Promise<BenchTool[]> {
  const { token } = await tokenFor(store, "sign-in", store.admin);
  const add = async (number: number): Promise<BenchTool> => {
    const body = {
      name: `Bench tool ${number}`,
      price: 1,
      minimum_order: 1,
      quantity: 1_000_000,
      description: "A tool that nobody needs, in any number.",
      picture: "/tools/jigsaw.svg",
    };
    const { insertedId } = await send<{ insertedId: string }>(store, "POST", "/products", body, {
      Authorization: `Bearer ${token}`,
    });
    return { _id: insertedId, price: 1 };
  };
  const tools: BenchTool[] = [];
  for (let number = 0; number < count; number += 8) {
    const group = Array.from({ length: Math.min(8, count - number) }, (_, index) => number + index);
    tools.push(...(await Promise.all(group.map(add))));
  }
  return tools;
}

export async function tokenFor(
  store: RunningStore,
  action: "sign-up" | "sign-in",
  who: { email: string; password: string; name?: string },
): Promise<{ id: string; token: string; cookie: string }> {
  const answer = await fetch(`http://localhost:${store.port}/api/auth/${action}/email`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: `http://localhost:${store.port}` },
    body: JSON.stringify(who),
  });
  if (!answer.ok) throw new Error(`${action} answers ${answer.status}: ${await answer.text()}`);
  const { user } = (await answer.json()) as { user: { id: string } };
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const path = `/user/${encodeURIComponent(who.email)}`;
  const { token } = await send<{ token: string }>(
    store,
    "PUT",
    path,
    { email: who.email },
    {
      Cookie: cookie,
      Origin: `http://localhost:${store.port}`,
    },
  );
  return { id: user.id, token, cookie };
}

/** Makes a call and expects it to succeed. */
export async function send<Answer>(
  store: RunningStore,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const answer = await fetch(`http://localhost:${store.port}${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
