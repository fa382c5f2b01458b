/**
 * The checks of the browser harness detect what they must detect; otherwise no other test of pages would prove
 * anything.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  findWithAxe,
  type OpenPage,
  openPage,
  settled,
} from "../harness/browser.ts";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
let visitor: OpenPage;
beforeAll(async () => {
  store = await openStore();
});
beforeEach(async () => {
  visitor = await openPage(store);
  await visitor.page.goto("/blog");
  // hydration removes what is added before it
  await settled(visitor.page);
  await expectNoProblems(visitor);
});
afterEach(() => visitor.close());
afterAll(async () => {
  await closePages();
  await store.stop();
});

/** Appends HTML to the page. */
const add = (html: string) =>
  visitor.page.evaluate((markup) => {
    const main = document.querySelector("main") as HTMLElement;
    main.append(document.createRange().createContextualFragment(markup));
  }, html);

test.each([
  ["an input without a label", "<input>", /label/, "all"],
  ["grey text on grey", '<p id="pale">Pale</p>', /color-contrast/, "all"],
  ["grey text on grey, among colours", '<p id="pale">Pale</p>', /color-contrast/, "colours"],
] as const)("axe finds %s", async (_what, html, rule, rules) => {
  await add(html);
  await visitor.page.evaluate(() => {
    const pale = document.getElementById("pale");
    pale?.style.setProperty("color", "#bbb");
  });
  expect((await findWithAxe(visitor.page, rules)).join("\n")).toMatch(rule);
  await expect(expectNoProblems(visitor, rules)).rejects.toThrow("axe on");
});

test("the policy blocks foreign scripts and styles, and the test detects it", async () => {
  await add('<p style="color:red">Red</p><script>document.title = "taken over"</script>');
  await expect.poll(() => visitor.problems.join("\n")).toMatch(/Content Security Policy/);
  expect(await visitor.page.title()).not.toBe("taken over");
});

test("a script error, a failed call and a foreign host are detected", async () => {
  await visitor.page.evaluate(async () => {
    setTimeout(() => {
      throw new Error("a script broke");
    });
    await fetch("/user/nobody@buyers.example");
    await fetch("https://elsewhere.example/").catch(() => undefined);
  });
  const problems = () => visitor.problems.join("\n");
  await expect.poll(problems).toMatch(/a script broke/);
  expect(problems()).toMatch(/401/);
  expect(problems()).toMatch(/elsewhere\.example/);
});
