import { documents } from "../../../api/openapi.ts";
import { type ReferenceEntry, type ReferenceMember, toReference } from "../../../api/reference.ts";
import { pageTitle } from "../../components/page-title.ts";
import type { Route } from "./+types/api-reference.ts";

export const meta: Route.MetaFunction = () =>
  pageTitle("API reference", "Every call of the Stator API: method, path, access, input and output.");

export const loader = () => ({
  entries: toReference(),
  documents: documents.map(({ path, summary }) => ({ path, summary })),
});

export default function ApiReferencePage({ loaderData: { entries, documents } }: Route.ComponentProps) {
  return (
    <main id="main" className="sheet docs">
      <header className="docs__head">
        <h1 className="t-h1">API reference</h1>
        <p>
          Send and receive JSON. If a call needs a user, send the access token as{" "}
          <code>Authorization: Bearer …</code>. A refusal is problem JSON: <code>detail</code> says why,{" "}
          <code>fields</code> what to correct. Machine-readable:{" "}
          <a className="link" href="/openapi.json">
            openapi.json
          </a>
          .
        </p>
      </header>
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
              <dd>{summary}</dd>
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
        <p>{entry.summary}</p>
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
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
