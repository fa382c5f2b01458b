/** The five questions and answers of the blog page (specification, section 2): one entry per paragraph. */

export const introduction = "Notes from the people who build this shop.";

export const posts: {
  question: string;
  answer: string[];
  code?: string;
}[] = [
  {
    question: "How do you improve the performance of a React app?",
    answer: [
      "Measure first, in a production build on a modest phone. The Performance panel shows whether the time goes to the network, to script or to layout, and the React Profiler shows which components rendered and why. Field data for the largest paint, layout shift and interaction delay tells you which of these your users feel.",
      "Most of the gain is in sending less. Split by route and load heavy parts, such as a chart or an editor, when they are opened. Render on the server what does not depend on the visitor. Give every image its width, height and a source that fits its box.",
      "Then render less. Keep state near the components that use it, so that a keystroke does not redraw the page. The React Compiler memoises components and values at build time, which makes most hand-written useMemo and useCallback unnecessary. Show long lists as a window over the rows in view. Mark slow updates as transitions, so that typing stays ahead of them.",
      "Measure again, and keep the budget in the build so that the gain does not leak away.",
    ],
    code: `const Chart = lazy(() => import("./chart"));

function Search({ tools }: { tools: Tool[] }) {
  const [query, setQuery] = useState("");
  const settled = useDeferredValue(query);
  return (
    <>
      <input value={query}
        onChange={(e) => setQuery(e.target.value)} />
      <Results tools={tools} query={settled} />
    </>
  );
}`,
  },
  {
    question: "What are the ways to manage state?",
    answer: [
      "Ask who owns the value, because each owner has its own tool. A value that one component needs is local state: useState, or useReducer when several values change together. Two components that need it share their nearest parent.",
      "A value that many need and that rarely changes, such as the theme or the signed-in user, goes into context. Every consumer renders when the context changes, so context is a poor place for a text field. Client state that changes often and far apart fits a small store with selectors, like Zustand or Redux Toolkit, where a component renders only for the slice that it reads.",
      "Data of the server is not yours; what you hold is a cache. Router loaders or a query library fetch it once, share it, and renew it after a change. Filters, sorting and the page number belong in the address, where they survive a reload and can be sent to a colleague. What a form holds can stay in the form.",
      "Before any of this: what can be computed from other state is not state. Compute it while rendering.",
    ],
    code: `const [params, setParams] = useSearchParams();
const category = params.get("category");
// derived, so not a second useState
const shown = category
  ? tools.filter((t) => t.category === category)
  : tools;`,
  },
  {
    question: "How does prototypal inheritance work?",
    answer: [
      "Every JavaScript object has a hidden link to another object or to null: its prototype. When you read a property that the object does not have itself, the engine follows the link, then the link of that object, until it finds the property or the chain ends and the answer is undefined. Nothing is copied. A method added to a prototype later is seen at once by everything linked to it.",
      "Writing is different: an ordinary assignment makes a property on the object itself, and it hides the one further up. Setters and read-only properties on the chain are the exception.",
      "Object.create makes an object with a chosen prototype. A function called with new links the new object to its prototype property. The class syntax is the same mechanism with clearer words: methods live once on the prototype, extends links one prototype to the other, super starts the search one step further up, and fields are set on each instance.",
      "Ask Object.hasOwn when only own properties count, and set the link when the object is made. Changing it afterwards with Object.setPrototypeOf can slow every access.",
    ],
    code: `const tool = {
  label() {
    return \`\${this.name}, \${this.watts} W\`;
  },
};
const saw = Object.create(tool);
saw.name = "Jigsaw";
saw.watts = 800;

saw.label();                 // "Jigsaw, 800 W"
Object.hasOwn(saw, "label"); // false
Object.getPrototypeOf(saw) === tool; // true`,
  },
  {
    question: "How do you search an array of products by name?",
    answer: [
      "Use filter, which returns every match and leaves the array as it was; find stops at the first one. The work is in deciding what a match is. People type in lower case, leave out accents and write words in any order, so bring both sides to one form before comparing: split accents from their letters with normalize, remove them, and lower the case.",
      "Then split the query into words and ask that each of them appears. An empty query has no words, every accepts that, and the whole list is shown, which is what an empty search field should do.",
      "Do the folding once per product, not once per keystroke. For the few thousand tools of a catalogue this answers within a millisecond or two, so it needs neither an index nor a delay. Beyond some ten thousand rows, or when the list does not fit into the page at all, let the database search: PostgreSQL does the same with trigram and full-text indexes.",
    ],
    code: `const fold = (text: string) =>
  text.normalize("NFD").replace(/\\p{M}/gu, "")
    .toLowerCase();

const index = products.map((product) => ({
  product,
  name: fold(product.name),
}));

function search(query: string) {
  const words = fold(query).split(/\\s+/).filter(Boolean);
  return index
    .filter(({ name }) =>
      words.every((word) => name.includes(word)))
    .map(({ product }) => product);
}`,
  },
  {
    question: "What are unit tests, and why write them?",
    answer: [
      "A unit test runs one small piece of a program on its own, gives it an input and checks what comes out. No network, no database, no clock that it does not control. Hundreds of them finish in a second, so they can run at every save.",
      "Their first use is speed of finding: a failing unit test names the rule that broke, minutes after it broke, while a failing order names only a customer. Their second is courage. Code with tests can be changed by someone who did not write it. Their third is design, because a function that is hard to test usually does two things or reaches for something it should have been given.",
      "Test what the piece promises, not how it does it, or every tidy-up breaks the tests. Take the edges: zero, one, the limit, one beyond it, nonsense. For rules that hold for every input, state the rule and let a property-based tool such as fast-check look for the exception.",
      "Unit tests do not show that the pieces fit. Keep a few tests that walk through the whole program in a real browser.",
    ],
    code: `test("a quantity below the minimum is refused", () => {
  const tool = { minimum: 20, stock: 1240 };
  expect(checkQuantity(19, tool)).toBe("belowMinimum");
  expect(checkQuantity(20, tool)).toBe("ok");
  expect(checkQuantity(1240, tool)).toBe("ok");
  expect(checkQuantity(1241, tool)).toBe("aboveStock");
});`,
  },
];
