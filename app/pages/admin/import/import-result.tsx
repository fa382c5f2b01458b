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
import { ApplyImport, UndoImport } from "./apply-import.tsx";
import { ImportRows } from "./import-rows.tsx";
import { ImportFact, ImportFigures, ImportProgress } from "./import-summary.tsx";
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
  // not in parallel: if the import is done, its rows are not loaded again, so they have to be complete
  const rows = await caller.call("listImportRows", { params: { id: params.id }, query });
  return data({ found, rows }, found.ok ? 200 : found.status);
}

const POLL_MS = 1000;

/** The progress of an import, the changes or refusal of each row, and Apply. */
export default function ImportResultPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.found);
  const rows = useLoaderResult(loaderData.rows);
  const params = useListParams();
  const revalidator = useRevalidator();
  const productImport = loaded.data;
  useFocusAfterRemoval(`${productImport?.dryRun} ${productImport?.undoneBy}`);
  const isChange = productImport && productImport.kind !== "file";
  const isRunning = productImport?.state === "queued" || productImport?.state === "running";
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
          { label: productImport?.fileName ?? "File" },
        ]}
      />
      <PageHead
        title={isChange ? "Change tools" : "Import tools"}
        fact={productImport && <ImportFact productImport={productImport} />}
        action={
          isChange ? (
            <ButtonLink to="/dashboard/manageProduct">Manage Products</ButtonLink>
          ) : (
            <ButtonLink to="/dashboard/import">Other file</ButtonLink>
          )
        }
      />
      <QueryBoundary
        loaded={loaded}
        failed="This import could not be loaded."
        refused={(reason) => (
          <NotFoundPanel
            title="No such import"
            back={{ label: "Back to Import", to: "/dashboard/import" }}
            reason={reason}
          />
        )}
      >
        {(loadedImport) => (
          <>
            {isRunning && <ImportProgress productImport={loadedImport} />}
            {loadedImport.problem &&
              (isRunning ? (
                <Notice kind="warn">{loadedImport.problem}</Notice>
              ) : (
                <FormError>{loadedImport.problem}</FormError>
              ))}
            {loadedImport.ignored && (
              <Notice>
                {loadedImport.ignored.length === 1 ? "This column is" : "These columns are"} not read:{" "}
                {loadedImport.ignored.join(", ")}.
              </Notice>
            )}
            {loadedImport.state === "done" && loadedImport.rows === 0 && (
              <EmptyState title="No tools">Nothing is changed by this.</EmptyState>
            )}
            {loadedImport.state !== "failed" && loadedImport.rows > 0 && (
              <>
                <ImportFigures productImport={loadedImport} params={params} />
                <QueryBoundary loaded={rows} failed="The rows could not be loaded.">
                  {({ records, next }) => (
                    <ImportRows productImport={loadedImport} records={records} next={next} params={params} />
                  )}
                </QueryBoundary>
                {loadedImport.dryRun && loadedImport.state === "done" && (
                  <ApplyImport productImport={loadedImport} onApplied={loaded.reload} />
                )}
                {!loadedImport.dryRun && loadedImport.state === "done" && (
                  <UndoImport productImport={loadedImport} onRefused={loaded.reload} />
                )}
              </>
            )}
          </>
        )}
      </QueryBoundary>
    </>
  );
}
