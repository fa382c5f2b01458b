import type { Output } from "../../../../api/contract.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { ActionButton } from "../../../components/action-button.tsx";
import { Button } from "../../../components/button.tsx";
import { FormError, TextField } from "../../../components/field.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Panel } from "../../../components/panel.tsx";
import { Actions, type Column } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { toastDeleted } from "../../../components/toast-deleted.ts";
import { filled, useFields } from "../../../components/use-fields.ts";
import { call } from "../../../data/api-client.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import type { ListParams } from "../../../data/use-list-params.ts";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import type { Route } from "./+types/synonyms.ts";

export const meta = () => pageTitle("Synonyms");

type Synonym = Output<"addSynonym">;

const required = filled(refusals.required);

function readSearch({ get }: Pick<ListParams, "get">) {
  return { q: get("q") };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { synonyms: await callerIn(context).call("listSynonyms", { query: listQuery(url, readSearch) }) };
}

export default function SynonymsPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.synonyms, readSearch);
  const { reload } = list.loaded;
  return (
    <ListPage
      {...list}
      title="Synonyms"
      fact="What buyers call a tool, and what the catalogue calls it. A search for one also finds the other."
      exportPath="/admin/synonyms/export.csv"
      searchField={{ label: "Search synonyms", placeholder: "Term" }}
      rows={(data) => data.synonyms}
      noun="synonyms"
      caption="Synonyms"
      className="tbl--pairs"
      rowKey={(synonym) => synonym._id}
      columns={synonymColumns(reload)}
      noMatches={{
        title: "No matching synonyms",
        showAll: list.search.q && "Show all synonyms",
        drawing: false,
        children: "Add the words that your buyers use.",
      }}
    >
      <AddSynonym onAdded={reload} />
    </ListPage>
  );
}

function AddSynonym({ onAdded }: { onAdded: () => void }) {
  const form = useFields({ term: required, sameAs: required });
  const callOnce = useCallOnce();
  const submit = form.onSubmit(async (body, { empty, refuse }) => {
    const outcome = await callOnce("addSynonym", { body });
    if (outcome.ok) {
      toast.success(`“${outcome.data.term}” and “${outcome.data.sameAs}” now find the same tools.`);
      empty();
      onAdded();
    } else refuse(outcome);
  });
  return (
    <Panel title="Add a synonym">
      <FormError>{form.refusal}</FormError>
      <form className="pair" method="post" noValidate onSubmit={submit}>
        <TextField label="Buyers type" placeholder="sawzall" {...form.field("term")} />
        <TextField label="The same as" placeholder="reciprocating saw" {...form.field("sameAs")} />
        <Button type="submit" look="primary" busy={form.busy}>
          Add
        </Button>
      </form>
    </Panel>
  );
}

function synonymColumns(onChanged: () => void): Column<Synonym>[] {
  async function remove({ _id, term, sameAs }: Synonym) {
    const outcome = await call("deleteSynonym", { params: { id: _id } });
    const body = { term, sameAs };
    if (outcome.ok) toastDeleted(term, "addSynonym", { body }, onChanged);
    else toast.error(outcome.detail);
    onChanged();
  }
  return [
    { heading: "Buyers type", kind: "lead", cell: ({ term }) => <b>{term}</b> },
    { heading: "The same as", wide: true, cell: ({ sameAs }) => sameAs },
    {
      heading: "Action",
      kind: "action",
      cell: (synonym) => (
        <Actions>
          <ActionButton
            size="sm"
            look="danger"
            onClick={() => remove(synonym)}
            aria-label={`Remove ${synonym.term}, the same as ${synonym.sameAs}`}
          >
            Remove
          </ActionButton>
        </Actions>
      ),
    },
  ];
}
