import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deliverToOutbox } from "../../../providers/email/deliver.ts";
import { openOutbox } from "../../../providers/email/outbox.ts";
import {
  deleteOldEmails,
  deliverToDatabase,
  openDatabaseOutbox,
} from "../../../providers/email/outbox-in-database.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, type SignedIn, signUp } from "../../harness/users.ts";

let folder: string;
let store: TestStore;
let admin: SignedIn;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stator-outbox-"));
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await store.stop();
});

const places = {
  "a folder": () => [deliverToOutbox(join(folder, "many")), openOutbox(join(folder, "many"))] as const,
  "a database": () => [deliverToDatabase(store.pool), openDatabaseOutbox(store.pool)] as const,
};

test.each(Object.entries(places))(
  "emails in %s are listed newest first, page by page, however many digits their jobs have",
  async (_, open) => {
    const [deliver, outbox] = open();
    const ids = ["1795182773093-9", "1795182773093-10", "1795182773094-2", "1795182779999-1"];
    for (const id of ids) await deliver({ to: "a@b.example", subject: id, text: "t", html: "<p>h</p>" }, id);
    const first = await outbox.list(3);
    expect(first).toMatchObject({ all: 4, next: "1795182773093-10" });
    const second = await outbox.list(3, first.next);
    expect([...first.mails, ...second.mails].map((mail) => mail.id)).toEqual(ids.toReversed());
    expect(second.next).toBeUndefined();
    // a second attempt of the same job
    await deliver({ to: "b@b.example", subject: "again", text: "t", html: "<p>h</p>" }, ids[0] as string);
    expect(await outbox.find(ids[0] as string)).toMatchObject({
      to: "b@b.example",
      subject: "again",
      text: "t",
    });
    expect(await outbox.find("1795182773093-11")).toBeNull();
    expect(await outbox.find("x")).toBeNull();
  },
);

test("a database deletes emails after 90 days, and counts up to a thousand", async () => {
  const outbox = openDatabaseOutbox(store.pool);
  const queuedBefore = (days: number) => Date.now() - days * 86_400_000;
  await store.pool.query(
    `INSERT INTO shop.outbox (queued, job, mail)
     SELECT CASE WHEN job <= 2001 THEN $1 ELSE $2 END::bigint, job, '{}' FROM generate_series(1, 2002) AS job`,
    [queuedBefore(91), queuedBefore(89)],
  );
  expect(await outbox.list(1)).toMatchObject({ all: 1000, countLimit: 1000 });
  await deleteOldEmails(store.pool);
  const { rows } = await store.pool.query("SELECT job FROM shop.outbox WHERE mail = '{}'");
  expect(rows).toEqual([{ job: 2002 }]);
});

test.each(["x", "1795182773093", "1795182773093-", "1-2-3"])("the cursor %j is refused", async (cursor) => {
  const { status, body } = await admin.send("listEmails", { query: { cursor } });
  expect([status, body.fields]).toEqual([422, { cursor: refusals.badCursor }]);
});

test("a missing folder counts as empty", async () => {
  expect(await openOutbox(join(folder, "none")).list(10)).toEqual({ mails: [], all: 0 });
});

test("a half-written email is left for the next time", async () => {
  const half = join(folder, "half");
  await mkdir(half);
  await writeFile(join(half, "1795182773093-1.json"), '{"to": "a@b.ex');
  const outbox = openOutbox(half);
  expect((await outbox.list(10)).mails).toEqual([]);
  expect(await outbox.find("1795182773093-1")).toBeNull();
});

test.each(["../secret", "..%2fsecret", "1795182773093-1/../../secret", "/etc/passwd", "1-2\0", "x", ""])(
  "no other file is opened: %j",
  async (id) => {
    await writeFile(join(folder, "secret.json"), JSON.stringify({ to: "no", subject: "no", sentAt: "" }));
    await mkdir(join(folder, "inner"), { recursive: true });
    expect(await openOutbox(join(folder, "inner")).find(id)).toBeNull();
    const { status } = await admin.send("findMail", { params: { id } });
    expect(status).toBe(404);
  },
);

test("an admin reads the emails without links that give access to an account", async () => {
  const user = await signUp(store, "Resets Password");
  await fetch(`${store.url}/api/auth/request-password-reset`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: store.url },
    body: JSON.stringify({ email: user.email }),
  });
  const outbox = await expect
    .poll(
      async () =>
        (await admin.call("listEmails", {})).mails.filter(({ to }) => to === user.email).map(({ id }) => id),
      { timeout: 10_000 },
    )
    .toHaveLength(2)
    .then(() => admin.call("listEmails", {}));
  const files = await store.outbox(user.email);
  const secrets = files.map(({ text }) => /token=([^&\s]+)/.exec(text)?.[1] ?? "");
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  for (const { id } of outbox.mails.filter(({ to }) => to === user.email)) {
    const mail = await admin.call("findMail", { params: { id } });
    expect(mail).toMatchObject({ hides: true, text: expect.stringContaining("token=hidden") });
    const page = await admin.fetch(`/outbox/${id}/page`).then((response) => response.text());
    for (const secret of secrets) expect(JSON.stringify(mail) + page).not.toContain(secret);
  }
});

test("an email of the outbox has a page with its own policy, for admins only", async () => {
  await signUp(store, "Mail Reader");
  let id: string | undefined;
  await expect
    .poll(async () => {
      id = (await admin.call("listEmails", {})).mails[0]?.id;
      return id;
    })
    .toBeDefined();
  const send = (cookie: string) => fetch(`${store.url}/outbox/${id}/page`, { headers: { cookie } });
  const version = async () => {
    const { rows } = await store.pool.query("SELECT xmin FROM shop.user WHERE email = $1", [admin.email]);
    return rows[0].xmin;
  };
  const before = await version();
  const page = await send(admin.cookie);
  expect(page.status).toBe(200);
  expect(await version()).toBe(before);
  expect(await page.text()).toContain('<base target="_blank">');
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("sandbox");
  expect(policy).not.toContain("allow-scripts");
  expect((await send("")).status).toBe(401);
  expect((await send((await signUp(store, "Not Admin")).cookie)).status).toBe(403);
});
