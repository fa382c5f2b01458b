/** The watch over pages sees what it is there to see; otherwise no other test of pages would mean anything. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  closeBrowser,
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
  // what is added before the script is there is taken away by it
  await settled(visitor.page);
  await expectNoProblems(visitor);
});
afterEach(() => visitor.close());
afterAll(async () => {
  await closeBrowser();
  await store.stop();
});

/** Puts HTML at the end of the page, by its own means. */
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

test("the policy refuses a script and a style that are not ours, and the test hears of it", async () => {
  await add('<p style="color:red">Red</p><script>document.title = "taken over"</script>');
  await expect.poll(() => visitor.problems.join("\n")).toMatch(/Content Security Policy/);
  expect(await visitor.page.title()).not.toBe("taken over");
});

test("an error of a script, a failed call and a host elsewhere are heard of", async () => {
  await visitor.page.evaluate(async () => {
    setTimeout(() => {
      throw new Error("a script broke");
    });
    await fetch("/user/nobody@buyers.example");
    await fetch("https://elsewhere.example/").catch(() => undefined);
  });
  const heard = () => visitor.problems.join("\n");
  await expect.poll(heard).toMatch(/a script broke/);
  expect(heard()).toMatch(/401/);
  expect(heard()).toMatch(/elsewhere\.example/);
});
