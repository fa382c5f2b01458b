import { useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import { Button } from "../../../components/button.tsx";
import { Badge } from "../../../components/chip.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Stars } from "../../../components/stars.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Actions, type Column } from "../../../components/table.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { countUpTo } from "../count-up-to.ts";
import { ExportLink } from "../export-link.tsx";
import { ListSearch, ListTable } from "../list-table.tsx";
import { useRefusalToast } from "../use-refusal-toast.ts";
import type { Route } from "./+types/manage-reviews.ts";

export const meta = () => pageTitle("Reviews");

type ListedReview = Output<"searchReviews">["reviews"][number];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { get } = queryOf(url);
  const query = { q: get("q"), hidden: hiddenOf({ get }), cursor: get("cursor") };
  return { reviews: await callerIn(context).ask("searchReviews", { query }) };
}

function hiddenOf({ get }: Pick<ListParams, "get">) {
  return get("hidden") === "1" ? ("1" as const) : undefined;
}

/** Every review, newest first, which can be hidden or shown again. */
export default function ReviewsPage({ loaderData }: Route.ComponentProps) {
  const address = useListParams();
  const hidden = hiddenOf(address);
  const reviews = useLoaderResult(loaderData.reviews);
  const [busy, setBusy] = useState<string | null>(null);
  const showRefusal = useRefusalToast();
  const countOf = (one: "all" | "hidden") =>
    reviews.data && countUpTo(reviews.data.counts[one], reviews.data.countLimit);

  async function setHidden({ _id, name }: ListedReview, hide: boolean) {
    setBusy(_id);
    const outcome = await call("hideReview", { params: { id: _id }, body: { hidden: hide } });
    setBusy(null);
    if (outcome.ok) toast.success(`The review by ${name} is ${hide ? "hidden" : "shown again"}.`);
    else showRefusal(outcome);
    reviews.reload();
  }

  return (
    <>
      <PageHead
        title="Reviews"
        fact="New reviews appear on the home page. Hidden reviews are visible only here."
        action={<ExportLink path="/admin/reviews/export.csv" query={{ q: address.get("q"), hidden }} />}
      />
      <div className="listbar">
        <ListSearch address={address} label="Search reviews" placeholder="Author or text" />
      </div>
      <Tabs
        label="Visibility"
        items={[
          { to: address.to({ hidden: undefined }), label: "All", count: countOf("all"), current: !hidden },
          { to: address.to({ hidden: "1" }), label: "Hidden", count: countOf("hidden"), current: !!hidden },
        ]}
      />
      <ListTable
        loaded={reviews}
        address={address}
        rows={(data) => data.reviews}
        total={(data) => countUpTo(data.counts[hidden ? "hidden" : "all"], data.countLimit)}
        noun="reviews"
        caption="Reviews"
        className="tbl--reviews"
        rowKey={(review) => review._id}
        columns={columnsOf(setHidden, busy)}
        empty={<NoReviews address={address} />}
      />
    </>
  );
}

function columnsOf(
  onHide: (review: ListedReview, hide: boolean) => void,
  busy: string | null,
): Column<ListedReview>[] {
  return [
    {
      heading: "Author",
      kind: "lead",
      cell: ({ name, email, writtenAt }) => (
        <>
          <b>{name}</b>
          {email && <span className="cell-2">{email}</span>}
          <span className="cell-2">
            <DateTime at={writtenAt} />
          </span>
        </>
      ),
    },
    {
      heading: "Review",
      wide: true,
      cell: ({ rating, description, hidden }) => (
        <>
          <Stars rating={rating} /> {hidden && <Badge>Hidden</Badge>}
          <p>{description}</p>
        </>
      ),
    },
    {
      heading: "Action",
      kind: "action",
      cell: (review) => {
        const label = review.hidden ? "Show again" : "Hide";
        return (
          <Actions>
            <Button
              size="sm"
              busy={busy === review._id}
              onClick={() => onHide(review, !review.hidden)}
              aria-label={`${label}, review by ${review.name}`}
            >
              {label}
            </Button>
          </Actions>
        );
      },
    },
  ];
}

function NoReviews({ address }: { address: ListParams }) {
  const filtered = address.get("q") || address.get("hidden") || address.get("cursor");
  return (
    <EmptyState
      drawing={false}
      title={filtered ? "No matching results" : "No reviews yet"}
      {...(filtered && {
        action: (
          <Button onClick={() => address.set({ q: undefined, hidden: undefined })}>Show all reviews</Button>
        ),
      })}
    >
      {filtered
        ? "Search for a part of the author's name or the text."
        : "Buyers write them under Dashboard, Add a Review."}
    </EmptyState>
  );
}
