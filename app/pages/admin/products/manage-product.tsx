import { lazy, Suspense, useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import type { Product } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { counted } from "../../../components/format.ts";
import { ListView } from "../../../components/list-view.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { SearchField } from "../../../components/search-field.tsx";
import { SegmentedControl } from "../../../components/segmented-control.tsx";
import { ParamSelect } from "../../../components/select.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { EmptyState, ErrorState } from "../../../components/states.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { useLast } from "../../../components/use-last.ts";
import { type ListParams, useListParams } from "../../../data/use-list-params.ts";
import { type LoaderResult, useLoaderResult } from "../../../data/use-loader-result.ts";
import { withLoadTimeout } from "../../../performance/load-chunk.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import { ListTable, NoMatches } from "../list-table.tsx";
import "../../../styles/product-grid.css";
import type { Route } from "./+types/manage-product.ts";
import { DeleteProductDialog } from "./delete-product-dialog.tsx";
import { productColumns } from "./product-columns.tsx";
import { filterOptions } from "./product-filter-options.ts";
import { ProductFilterChips, ProductFilters, toSelectOptions } from "./product-filters.tsx";
import type { ProductGrid as Grid } from "./product-grid.tsx";
import { archiveOptions, filterNames, readSearch, sorts } from "./product-search.ts";
import { GRID_PAGE } from "./use-product-window.ts";

export const meta = () => pageTitle("Manage Products");

// product validation and row virtualization are only needed in the grid
const ProductGrid = lazy<typeof Grid>(() =>
  withLoadTimeout(import("./product-grid.tsx")).then(
    (script) => ({ default: script.ProductGrid }),
    () => ({ default: GridNotLoaded }),
  ),
);

function GridNotLoaded() {
  return <ErrorState onRetry={() => location.reload()}>The grid could not be loaded.</ErrorState>;
}

const views = [
  ["list", "List"],
  ["grid", "Edit in grid"],
] as const;

/** Manage Products (specification, sections 2 and 7): search, edit and delete products on sale. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { get } = queryOf(url);
  const page = get("view") === "grid" ? { limit: GRID_PAGE } : { cursor: get("cursor") };
  const query = { ...readSearch({ get }), ...page };
  const caller = callerIn(context);
  const products = await caller.call("searchProducts", { query });
  return { products, ...filterOptions(products.ok ? products.data.facets : undefined, { get }) };
}

export default function ManageProductPage({ loaderData }: Route.ComponentProps) {
  const params = useListParams();
  const products = useLoaderResult(loaderData.products);
  const [toDelete, setToDelete] = useState<Product | null>(null);
  const counts = products.data?.counts;
  const { categories, filters } = loaderData;
  const search = readSearch(params);
  const { low, archived } = search;
  const isSearched = filterNames.some((name) => name !== "low" && params.get(name));
  const [isFiltering, setIsFiltering] = useState(false);
  const isGrid = params.get("view") === "grid";

  return (
    <>
      <PageHead
        title={labels.menu.manageProducts}
        fact={
          isSearched || !counts
            ? "Tools on sale with prices and stock."
            : `${counted(counts.all, "tool")} in the catalogue.`
        }
        action={
          <div className="acts">
            <ButtonLink to="/dashboard/import">Import</ButtonLink>
            <ExportLink path="/admin/products/export.csv" query={search} />
            <ButtonLink look="primary" to="/dashboard/addProduct">
              {labels.menu.addTool}
            </ButtonLink>
          </div>
        }
      />
      <div className="listbar">
        <SearchField
          params={params}
          label="Search tools in the catalogue"
          placeholder="Name, number or category"
        />
        <div className="acts">
          <SegmentedControl
            label="View"
            items={views}
            value={isGrid ? "grid" : "list"}
            onChoose={(view) => params.set({ view: view === "grid" ? view : undefined })}
          />
          <ParamSelect
            params={params}
            name="category"
            aria-label="Category"
            options={[["", "All categories"], ...toSelectOptions(categories)]}
          />
          <ParamSelect
            params={params}
            name="archived"
            aria-label="On sale or archived"
            options={archiveOptions}
          />
          <Button icon="filter" aria-expanded={isFiltering} onClick={() => setIsFiltering(!isFiltering)}>
            Filter
          </Button>
          <ParamSelect params={params} name="sort" aria-label="Sort" options={sorts} />
        </div>
      </div>
      {isFiltering && <ProductFilters filters={filters} params={params} />}
      <ProductFilterChips filters={filters} params={params} />
      <Tabs
        label="Stock"
        params={params}
        name="low"
        items={[
          [undefined, "All", counts?.all],
          ["1", "Below four minimum orders", counts?.low],
        ]}
      />
      {isGrid ? (
        <GridView products={products} params={params} />
      ) : (
        <ListTable
          loaded={products}
          params={params}
          rows={(data) => data.products}
          total={counts?.[low ? "low" : "all"]}
          noun="tools"
          caption={archived === "only" ? "Archived tools" : "Tools on sale"}
          rowKey={(product) => product._id}
          columns={productColumns({ onDelete: setToDelete, onRestored: products.reload })}
          empty={<NoProducts params={params} />}
        />
      )}
      <DeleteProductDialog product={toDelete} onClose={() => setToDelete(null)} onDeleted={products.reload} />
    </>
  );
}

interface GridViewProps {
  products: LoaderResult<Output<"searchProducts">>;
  params: ListParams;
}

/** Below the failure of another search, the tools of the last one stay: they may have unsaved changes. */
function GridView({ products, params }: GridViewProps) {
  const query = readSearch(params);
  const lastLoaded = useLast(products.data && { data: products.data, query });
  const { low } = lastLoaded?.query ?? query;
  return (
    <ListView
      loaded={{ ...products, data: lastLoaded?.data }}
      isEmpty={() => false}
      empty={null}
      announcement={({ counts }) => counted(counts[low ? "low" : "all"], "tool")}
    >
      {({ products, counts }) => (
        <Suspense fallback={<Spinner label="Loading the grid" />}>
          <ProductGrid
            query={lastLoaded?.query ?? query}
            firstPage={products}
            resultCount={counts[low ? "low" : "all"]}
            empty={<NoProducts params={params} />}
          />
        </Suspense>
      )}
    </ListView>
  );
}

function NoProducts({ params }: { params: ListParams }) {
  return (
    <NoMatches
      params={params}
      filters={filterNames}
      title="No matching tools"
      showAll="Show all tools"
      unfiltered={
        <EmptyState
          title="The catalogue is empty"
          action={
            <ButtonLink look="primary" to="/dashboard/addProduct">
              {labels.menu.addTool}
            </ButtonLink>
          }
        >
          Buyers see tools as soon as they are added.
        </EmptyState>
      }
    >
      {emptyHint(params)}
    </NoMatches>
  );
}

function emptyHint({ get }: ListParams): string {
  const activeFilters = filterNames.filter((name) => get(name));
  if (activeFilters.join() === "low") return "Every tool has stock for at least four minimum orders.";
  if (activeFilters.join() === "archived") return "Deleted tools are kept in the archive.";
  return "Search for a name, an item number or a category.";
}
