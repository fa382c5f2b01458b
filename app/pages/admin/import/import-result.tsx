import { useEffect } from "react";
import { data, useRevalidator } from "react-router";
import { importStatuses } from "../../../../api/import-calls.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { ButtonLink } from "../../../components/button.tsx";
import { FormError } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { NotFoundPanel, QueryBoundary } from "../../../components/query-boundary.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { oneOf, useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { Apply, Undo } from "./apply-import.tsx";
import { ImportRows } from "./import-rows.tsx";
import { Fact, Figures, ProgressBar } from "./import-summary.tsx";
import "../../../styles/import.css";
import "../../../styles/order.css";
import type { Route } from "./+types/import-result.ts";

export const meta = () => pageTitle("Import");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { get } = queryOf(url);
  const caller = callerIn(context);
  const status = oneOf(get("status"), importStatuses);
  const query = { status, ...(/^\d{1,9}$/.test(get("after") ?? "") && { after: get("after") }) };
  const found = await caller.call("findImport", { params: { id: params.id } });
  // after it: the rows of an import that is done are complete, and are not loaded again
  const rows = await caller.call("listImportRows", { params: { id: params.id }, query });
  return data({ found, rows }, found.ok ? 200 : found.status);
}

const POLL_MS = 1000;

/** The progress of an import, the changes or refusal of each row, and Apply. */
export default function ImportResultPage({ loaderData }: Route.ComponentProps) {
  const found = useLoaderResult(loaderData.found);
  const rows = useLoaderResult(loaderData.rows);
  const address = useListParams();
  const revalidator = useRevalidator();
  const shown = found.data;
  useFocusAfterRemoval(String(shown?.dryRun));
  const isRunning = shown?.state === "queued" || shown?.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      if (revalidator.state === "idle") void revalidator.revalidate();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, revalidator]);

  return (
    <>
      <Breadcrumbs
        items={[
          { label: "Manage Products", to: "/dashboard/manageProduct" },
          { label: "Import", to: "/dashboard/import" },
          { label: shown?.fileName ?? "File" },
        ]}
      />
      <PageHead
        title={shown?.kind === "file" ? "Import tools" : "Change tools"}
        fact={shown && <Fact productImport={shown} />}
        action={
          shown?.kind === "file" ? (
            <ButtonLink to="/dashboard/import">Other file</ButtonLink>
          ) : (
            <ButtonLink to="/dashboard/manageProduct">Manage Products</ButtonLink>
          )
        }
      />
      <QueryBoundary
        loaded={found}
        failed="This import could not be loaded."
        refused={(reason) => (
          <NotFoundPanel
            title="No such import"
            back={{ label: "Back to Import", to: "/dashboard/import" }}
            reason={reason}
          />
        )}
      >
        {(one) => (
          <>
            {isRunning && <ProgressBar productImport={one} />}
            {one.problem && <FormError>{one.problem}</FormError>}
            {one.ignored && (
              <Notice>
                {one.ignored.length === 1 ? "This column is" : "These columns are"} not read:{" "}
                {one.ignored.join(", ")}.
              </Notice>
            )}
            {one.state === "done" && one.rows === 0 && (
              <EmptyState title="No tools">Nothing is changed by this.</EmptyState>
            )}
            {one.state !== "failed" && one.rows > 0 && (
              <>
                <Figures productImport={one} address={address} />
                <QueryBoundary loaded={rows} failed="The rows could not be loaded.">
                  {({ records, next }) => (
                    <ImportRows productImport={one} records={records} next={next} address={address} />
                  )}
                </QueryBoundary>
                {one.dryRun && one.state === "done" && <Apply productImport={one} onApplied={found.reload} />}
                {!one.dryRun && one.state === "done" && <Undo productImport={one} />}
              </>
            )}
          </>
        )}
      </QueryBoundary>
    </>
  );
}
