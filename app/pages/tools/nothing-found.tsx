import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { pickedIn, toolsAddress, withoutFacets } from "./address.ts";
import { PickedFilters } from "./picked.tsx";

/** What to do where no tool is left: other words, or one filter less, or none. */
export function NothingFound({ chosen }: { chosen: URLSearchParams }) {
  const words = chosen.get("q");
  if (pickedIn(chosen).length > 0) return <FiltersLeaveNothing chosen={chosen} words={words} />;
  if (!words)
    return <EmptyState title="No tools yet">The first tools are being entered. Come back soon.</EmptyState>;
  return (
    <EmptyState
      title={`No tool matches “${words}”`}
      action={<ButtonLink to="/tools">See all tools</ButtonLink>}
    >
      Try a shorter word, or the first letters of an item number.
    </EmptyState>
  );
}

function FiltersLeaveNothing({ chosen, words }: { chosen: URLSearchParams; words: string | null }) {
  return (
    <EmptyState
      title={words ? `No tool matches “${words}” with these filters` : "No tool matches these filters"}
      action={
        <>
          <PickedFilters chosen={chosen} />
          <ButtonLink to={toolsAddress(withoutFacets(chosen))} preventScrollReset>
            Clear all filters
          </ButtonLink>
        </>
      }
    >
      Take one of them away, or all of them.
    </EmptyState>
  );
}
