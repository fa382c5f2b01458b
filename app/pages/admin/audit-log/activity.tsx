import type { Output } from "../../../../api/contract.ts";
import { DateTime } from "../../../components/date-time.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import type { Column } from "../../../components/table.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { type ListParams, oneOf, useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import { ListSearch, ListTable, NoMatches } from "../list-table.tsx";
import type { Route } from "./+types/activity.ts";
import { From, Who } from "./event-cells.tsx";

export const meta = () => pageTitle("Activity");

type Event = Output<"searchActivity">["events"][number];

function readSearch({ get }: Pick<ListParams, "get">) {
  return { q: get("q"), kind: oneOf(get("kind"), ["refused"]) };
}

/** Security events of all accounts, newest first. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const params = queryOf(url);
  const query = { ...readSearch(params), cursor: params.get("cursor") };
  return { activity: await callerIn(context).call("searchActivity", { query }) };
}

export default function ActivityPage({ loaderData }: Route.ComponentProps) {
  const params = useListParams();
  const activity = useLoaderResult(loaderData.activity);
  return (
    <>
      <PageHead
        title="Activity"
        fact="Logins, refused attempts and account changes. Kept for six months."
        action={<ExportLink path="/admin/activity/export.csv" query={readSearch(params)} />}
      />
      <div className="listbar">
        <Tabs
          label="Kind"
          params={params}
          name="kind"
          items={[
            [undefined, "All"],
            ["refused", "Refused"],
          ]}
        />
        <ListSearch params={params} label="Search activity" placeholder="User, address or event" />
      </div>
      <ListTable
        loaded={activity}
        params={params}
        rows={(data) => data.events}
        noun="events"
        caption="Events"
        rowKey={(event) => event._id}
        className="tbl--activity"
        columns={columns}
        empty={
          <NoMatches
            params={params}
            filters={["q", "kind"]}
            title="No matching results"
            showAll="Show all activity"
          >
            Search for a name, an email, a network address, or a word such as passkey.
          </NoMatches>
        }
      />
    </>
  );
}

const columns: Column<Event>[] = [
  { heading: "When", cell: ({ at }) => <DateTime time at={at} /> },
  {
    heading: "Account",
    wide: true,
    cell: ({ who }) => <Who who={who} fallback="No account of this store" />,
  },
  {
    heading: "What",
    cell: ({ what, detail, call, by }) => (
      <>
        <b>{what}</b>
        <span className="cell-2" title={call}>
          {by ? `By ${by}` : detail}
        </span>
      </>
    ),
  },
  { heading: "From", cell: ({ ip, agent }) => <From ip={ip} agent={agent} /> },
];
