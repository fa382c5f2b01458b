import { data } from "react-router";
import { ButtonLink } from "../../components/button.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";
import "../../styles/cart.css";
import "../../styles/lists.css";
import { callerIn } from "../dashboard/require-session.ts";
import type { Route } from "./+types/list.ts";
import { ListEditor } from "./list-editor.tsx";

/** Lines that the server checks; the browser checks the rest of a long list, to keep the page small. */
const FIRST_LINES = 200;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageTitle(loaderData?.list.ok ? loaderData.list.data.name : "List");

export async function loader({ context, params }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const list = await caller.call("findSavedList", { params: { id: params.id } });
  const lines = list.ok ? list.data.lines.slice(0, FIRST_LINES) : [];
  const checked = lines.length > 0 ? await caller.call("checkLines", { body: { lines } }) : null;
  return data({ list, checked: checked?.ok ? checked.data.lines : [] }, list.ok ? 200 : list.status);
}

export default function ListPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.list);
  useRevalidateOnReturn();
  return (
    <QueryBoundary
      loaded={loaded}
      failed="This list could not be loaded."
      refused={(reason) => (
        <>
          <PageHead title="List" />
          <div className="panel">
            <EmptyState
              title={reason}
              drawing={false}
              action={<ButtonLink to="/dashboard/lists">All lists</ButtonLink>}
            >
              It may have been deleted, or it belongs to another account.
            </EmptyState>
          </div>
        </>
      )}
    >
      {(list) => <ListEditor key={list._id} loaded={list} checked={loaderData.checked} />}
    </QueryBoundary>
  );
}
