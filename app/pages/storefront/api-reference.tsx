import { documents } from "../../../api/openapi.ts";
import { type ReferenceEntry, type ReferenceMember, toReference } from "../../../api/reference.ts";
import { firstOrder, fulfilment, rules } from "../../../api/reference-texts.ts";
import { pageTitle } from "../../components/page-title.ts";
import type { Route } from "./+types/api-reference.ts";

export const meta: Route.MetaFunction = () =>
  pageTitle("API reference", "Every call of the Stator API: method, path, access, input and output.");

export const loader = () => ({
  rules,
  firstOrder: firstOrder("https://shop.example"),
  fulfilment: fulfilment("https://shop.example"),
  entries: toReference(),
  documents: documents.map(({ path, summary }) => ({ path, summary })),
});

export default function ApiReferencePage({ loaderData }: Route.ComponentProps) {
  const { rules, firstOrder, fulfilment, entries, documents } = loaderData;
  return (
    <main id="main" className="sheet docs">
      <header className="docs__head">
        <h1 className="t-h1">API reference</h1>
        <p>
          Machine-readable:{" "}
          <a className="link" href="/openapi.json">
            openapi.json
          </a>
          .
        </p>
      </header>
      <section className="docs__call" aria-labelledby="rules">
        <div className="docs__rail">
          <h2 id="rules">All calls</h2>
        </div>
        <dl className="docs__documents">
          {rules.map(([topic, text]) => (
            <div key={topic}>
              <dt>{topic}</dt>
              <dd>
                <Prose text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="docs__call" aria-labelledby="first-order">
        <div className="docs__rail">
          <h2 id="first-order">A first order</h2>
          <p>Placed and paid with curl and jq. Set STORE to the URL of the store.</p>
        </div>
        <div className="docs__example">
          <pre>
            <code>{firstOrder}</code>
          </pre>
        </div>
      </section>
      <section className="docs__call" aria-labelledby="fulfilment">
        <div className="docs__rail">
          <h2 id="fulfilment">An ERP next to the store</h2>
          <p>
            It signs in with an account of its own: register it, make it an admin, and give it no second
            factor. With <code>REQUIRE_ADMIN_2FA</code> it may not act as an admin.
          </p>
        </div>
        <div className="docs__example">
          <pre>
            <code>{fulfilment}</code>
          </pre>
        </div>
      </section>
      {entries.map((entry) => (
        <Entry key={entry.name} entry={entry} />
      ))}
      <section className="docs__call" aria-labelledby="documents">
        <div className="docs__rail">
          <h2 id="documents">Documents</h2>
          <p>PDF files, on A4, or on Letter with ?paper=letter.</p>
          <p className="t-sm muted">The buyer, or an admin</p>
        </div>
        <dl className="docs__documents">
          {documents.map(({ path, summary }) => (
            <div key={path}>
              <dt>
                <code>GET {path}</code>
              </dt>
              <dd>
                <Prose text={summary} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </main>
  );
}

function Entry({ entry }: { entry: ReferenceEntry }) {
  return (
    <section className="docs__call" aria-labelledby={entry.name}>
      <div className="docs__rail">
        <h2 id={entry.name}>
          <code>
            {entry.method} {entry.path}
          </code>
        </h2>
        <p>
          <Prose text={entry.summary} />
        </p>
        <p className="t-sm muted">{entry.who}</p>
      </div>
      <div>
        <Members title="Input" members={entry.input} />
        <Members title={entry.returnsList ? "Response, a list of" : "Response"} members={entry.output} />
        <details className="docs__example">
          <summary>
            Example<span className="vh">{` of ${entry.name}`}</span>
          </summary>
          <pre>
            <code>{entry.example}</code>
          </pre>
        </details>
      </div>
    </section>
  );
}

/** Text with `code`. */
function Prose({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

function Members({ title, members }: { title: string; members: ReferenceMember[] }) {
  if (members.length === 0) return null;
  return (
    <table className="docs__members">
      <caption>{title}</caption>
      <tbody>
        {members.map((member) => (
          <tr key={member.name}>
            <th scope="row">
              <code>{member.name}</code>
            </th>
            <td>
              {member.kind}
              {!member.required && <span className="muted"> (optional)</span>}
              {member.description && (
                <p className="muted">
                  <Prose text={member.description} />
                </p>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
