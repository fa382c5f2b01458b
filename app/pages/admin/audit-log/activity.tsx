import type { Output } from "../../../../api/contract.ts";
import { DateTime } from "../../../components/date-time.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import type { Column } from "../../../components/table.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import type { Route } from "./+types/activity.ts";
import { From, Who } from "./event-cells.tsx";

export const meta = () => pageTitle("Activity");

type Event = Output<"searchActivity">["events"][number];

function readSearch({ get }: Pick<ListParams, "get">) {
  return { q: get("q"), kind: oneOf(get("kind"), ["refused"]) };
}

/** Security events of all accounts, newest first. */
export async function loader({ context, url }: Route.LoaderArgs) {
  return { activity: await callerIn(context).call("searchActivity", { query: listQuery(url, readSearch) }) };
}

export default function ActivityPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.activity, readSearch);
  return (
    <ListPage
      {...list}
      title="Activity"
      fact="Logins, refused attempts and account changes. Kept for six months."
      exportPath="/admin/activity/export.csv"
      searchField={{ label: "Search activity", placeholder: "User, address or event" }}
      filter={
        <Tabs
          label="Kind"
          params={list.params}
          name="kind"
          items={[
            [undefined, "All"],
            ["refused", "Refused"],
          ]}
        />
      }
      rows={(data) => data.events}
      noun="events"
      caption="Events"
      rowKey={(event) => event._id}
      className="tbl--activity"
      columns={columns}
      noMatches={{
        title: "No matching results",
        showAll: "Show all activity",
        children: "Search for a name, an email, a network address, or a word such as passkey.",
      }}
    />
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
