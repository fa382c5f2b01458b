import { describe, expect, test } from "vitest";
import { splitStylesheet } from "../../app/performance/split-stylesheet.ts";
import { criticalCss } from "../../server/http/critical-css.ts";

const html = `<main class="card card--wide w-3/5 [&amp;&gt;p]:m-0"><p>.ghost</p><script>' class="ghost"'</script></main>`;
const critical = (css: string) => criticalCss(splitStylesheet(css))(html).replace(/\s+/g, "");

describe("the styles of the first paint", () => {
  test.each([
    [".card{color:red}", true],
    [".card.card--wide:hover>p{color:red}", true],
    [".card:not(.ghost){color:red}", true],
    [".card:is(.ghost,.card--wide){color:red}", true],
    [".ghost,.card{color:red}", true],
    [".w-3\\/5{width:60%}", true],
    [".\\[\\&\\>p\\]\\:m-0>p{margin:0}", true],
    ["p{margin:0}", true],
    ['[data-theme="dark"] p{margin:0}', true],
    ["@property --turn{syntax:'*';inherits:false}", true],
    [".ghost{color:red}", false],
    [".card .ghost{color:red}", false],
    ["@media print{.ghost{color:red}}", false],
  ])("of %s contain it: %s", (css, holds) => {
    expect(critical(css)).toBe(holds ? css.replace(/\s+/g, "") : "");
  });

  test("escape what is not ASCII", () => {
    const css = '.card::after{content:"×−😀"}';
    expect(criticalCss(splitStylesheet(css))(html)).toBe('.card::after{content:"\\d7 \\2212 \\1f600 "}');
  });

  test("keep rules in their order, within their at-rules", () => {
    const css = "@layer a,b;@layer b{.ghost{x:1}.card{x:2}@media (width > 1px){p{x:3}}}.card{x:4}";
    expect(critical(css)).toBe("@layera,b;@layerb{.card{x:2}@media(width>1px){p{x:3}}}.card{x:4}");
  });

  test("have only the animations that they use", () => {
    const motions = "@keyframes on{to{opacity:1}}@keyframes off{to{opacity:0}}";
    expect(critical(`.card{animation:on 1s}.ghost{animation:off 1s}${motions}`)).toBe(
      ".card{animation:on1s}@keyframeson{to{opacity:1}}",
    );
  });
});
