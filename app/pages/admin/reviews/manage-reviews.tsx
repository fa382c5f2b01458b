import type { Output } from "../../../../api/contract.ts";
import { ActionButton } from "../../../components/action-button.tsx";
import { Badge } from "../../../components/chip.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Stars } from "../../../components/stars.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Actions, type Column } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import { useRefusalToast } from "../use-refusal-toast.ts";
import type { Route } from "./+types/manage-reviews.ts";

export const meta = () => pageTitle("Reviews");

type ListedReview = Output<"searchReviews">["reviews"][number];

function readSearch({ get }: Pick<ListParams, "get">) {
  return { q: get("q"), hidden: oneOf(get("hidden"), ["1"]) };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { reviews: await callerIn(context).call("searchReviews", { query: listQuery(url, readSearch) }) };
}

/** Every review, newest first, which can be hidden or shown again. */
export default function ReviewsPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.reviews, readSearch);
  const showRefusal = useRefusalToast();
  const counts = list.loaded.data?.counts;

  async function toggle({ _id, name, hidden: wasHidden }: ListedReview) {
    const hidden = !wasHidden;
    const outcome = await call("hideReview", { params: { id: _id }, body: { hidden } });
    if (outcome.ok) toast.success(`The review by ${name} is ${hidden ? "hidden" : "shown again"}.`);
    else showRefusal(outcome);
    list.loaded.reload();
  }

  return (
    <ListPage
      {...list}
      title="Reviews"
      fact="New reviews appear on the home page. Hidden reviews are visible only here."
      exportPath="/admin/reviews/export.csv"
      searchField={{ label: "Search reviews", placeholder: "Author or text" }}
      tabs={{
        label: "Visibility",
        name: "hidden",
        items: [
          [undefined, "All", counts?.all],
          ["1", "Hidden", counts?.hidden],
        ],
      }}
      rows={(data) => data.reviews}
      noun="reviews"
      caption="Reviews"
      className="tbl--reviews"
      rowKey={(review) => review._id}
      columns={reviewColumns(toggle)}
      noMatches={{
        title: "No matching results",
        showAll: "Show all reviews",
        drawing: false,
        unfiltered: (
          <EmptyState drawing={false} title="No reviews yet">
            Buyers write them under Dashboard, Add a Review.
          </EmptyState>
        ),
        children: "Search for a part of the author's name or the text.",
      }}
    />
  );
}

function reviewColumns(toggle: (review: ListedReview) => Promise<void>): Column<ListedReview>[] {
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
            <ActionButton
              size="sm"
              onClick={() => toggle(review)}
              aria-label={`${label}, review by ${review.name}`}
            >
              {label}
            </ActionButton>
          </Actions>
        );
      },
    },
  ];
}
