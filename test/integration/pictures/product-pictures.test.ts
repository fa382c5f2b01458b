/** Several pictures of a product, with order and alternative texts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addProduct } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(() => store.stop());

const [side, guard, slide] = [
  { url: "/tools/angle-grinder.svg", alt: "Angle grinder, side view" },
  { url: "https://pictures.example/guard.jpg", alt: "Guard and disc" },
  { url: "/tools/jigsaw.svg", alt: "Slide switch" },
];
const save = (id: string, version: number, pictures: unknown) =>
  admin.send("saveProductPictures", { params: { id }, body: { version, pictures } });
const find = (id: string) => admin.call("findProduct", { params: { id } });

test("a product has its pictures in order, and the first is its own", async () => {
  const { _id: id } = await addProduct(admin);
  expect((await find(id)).pictures).toBeUndefined();
  const { status, body } = await save(id, 1, [guard, side]);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ picture: guard?.url, pictures: [guard, side], version: 2 });
  expect(await find(id)).toEqual(body);
  const [listed] = (await admin.call("searchProducts", { query: { q: "drill" } })).products;
  expect(listed?.picture).toBe(guard?.url);
  expect((await save(id, 2, [side, slide, guard])).body.pictures).toEqual([side, slide, guard]);
  const { events } = await admin.call("listHistory", { query: { subject: "product", limit: 2 } });
  expect(events.find(({ what }) => what === "pictures edited")).toMatchObject({
    subjectId: id,
    who: { email: admin.email },
    before: { pictures: [guard, side].map((one) => ({ name: one?.alt, value: one?.url })) },
    after: { pictures: [side, slide, guard].map((one) => ({ name: one?.alt, value: one?.url })) },
  });
});

test("a change of the product's own picture by another form keeps the others", async () => {
  const { _id: id } = await addProduct(admin);
  await save(id, 1, [side, guard, slide]);
  const { pictures: _, version, ...product } = await find(id);
  const edit = { ...product, version: version ?? 1, seenQuantity: product.quantity };
  const saved = (
    await admin.send("editProduct", { params: { id }, body: { ...edit, picture: "/tools/sander.svg" } })
  ).body;
  expect((await find(id)).pictures).toEqual([{ url: "/tools/sander.svg", alt: product.name }, guard, slide]);
  // one of the others becomes the first
  const edited = await admin.send("editProduct", {
    params: { id },
    body: { ...edit, version: saved.version, picture: slide?.url },
  });
  expect((await find(id)).pictures).toEqual([slide, guard]);
  await admin.send("editProduct", {
    params: { id },
    body: { ...edit, version: edited.body.version, picture: side?.url },
  });
  expect((await find(id)).pictures).toEqual([side, guard, slide]);
});

test("of two admins who save concurrently, one is refused with the current product", async () => {
  const { _id: id } = await addProduct(admin);
  const replies = await Promise.all([save(id, 1, [side, guard]), save(id, 1, [slide])]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.body.present).toEqual(await find(id));
});

test.each<[string, unknown, string, string]>([
  ["none", [], "pictures", "A tool needs a picture."],
  [
    "one without a text",
    [{ url: "/a.svg", alt: " " }],
    "pictures.0.alt",
    "Describe the picture for people who cannot see it.",
  ],
  [
    "one that is no URL",
    [{ url: "javascript:alert(1)", alt: "x" }],
    "pictures.0.url",
    "Enter a web address or a path on this site.",
  ],
  ["the same twice", [side, side], "pictures", "This picture is there already."],
  [
    "too many",
    Array.from({ length: 13 }, (_, index) => ({ url: `/${index}.svg`, alt: "x" })),
    "pictures",
    "A tool can have 12 pictures.",
  ],
])("%s is refused", async (_, pictures, field, message) => {
  const { _id: id } = await addProduct(admin);
  const { status, body } = await save(id, 1, pictures);
  expect([status, body.fields]).toEqual([422, { [field]: message }]);
});

test("a deleted product has no pictures to save", async () => {
  const { _id: id } = await addProduct(admin);
  await admin.call("deleteProduct", { params: { id } });
  expect((await save(id, 1, [side])).status).toBe(404);
});
