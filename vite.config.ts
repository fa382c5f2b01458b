import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { contract } from "./api/contract.ts";

// One file for what every page needs: it compresses 4 kB better than in pieces, and stays cached when a page changes.
const base = { name: "base", test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ };

/**
 * The contract as the browser needs it to make calls: method, path and access, without the schemas and the 34 kB
 * of the library that checks them. A page that checks a form imports the schema of that form.
 */
function callTable(): Plugin {
  const table = Object.fromEntries(
    Object.entries(contract).map(([name, { method, path, access }]) => [name, { method, path, access }]),
  );
  return {
    name: "call-table",
    resolveId: (id) => (id === "virtual:call-table" ? "\0call-table" : undefined),
    load: (id) => (id === "\0call-table" ? `export const callTable = ${JSON.stringify(table)};` : undefined),
  };
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), callTable()],
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [base] } } } } },
  },
});
