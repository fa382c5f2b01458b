import { useState } from "react";
import { Link } from "react-router";
import type { SavedView } from "../../../../api/customer-calls.ts";
import { Button } from "../../../components/button.tsx";
import { countUpTo } from "../../../components/count-up-to.ts";
import { TextField } from "../../../components/field.tsx";
import { drawIcon } from "../../../components/icon.tsx";
import { useCurrentInView } from "../../../components/tabs.tsx";
import { toast } from "../../../components/toast.ts";
import { toastDeleted } from "../../../components/toast-deleted.ts";
import { filled, useFields } from "../../../components/use-fields.ts";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { call } from "../../../data/api-client.ts";
import { useBusy } from "../../../data/use-busy.ts";
import type { ListParams } from "../../../data/use-list-params.ts";
import { useRefusalToast } from "../use-refusal-toast.ts";

interface SavedViewsProps {
  views: SavedView[];
  countLimit: number;
  params: ListParams;
  /** of the days of the filters */
  zone: string;
  /** an updater, since a deletion may be undone later */
  onChange: (update: (views: SavedView[]) => SavedView[]) => void;
}

/** The saved views of an admin, and a form to save the current one. */
export function SavedViews({ views, countLimit, params, zone, onChange }: SavedViewsProps) {
  const [naming, setNaming] = useState(false);
  const showRefusal = useRefusalToast();
  const [, once] = useBusy();
  const query = viewQuery(params);
  const current = views.find((view) => normalizeQuery(view.query) === normalizeQuery(query));
  const nav = useCurrentInView(current?._id);
  const button = useFocusAfterRemoval<HTMLButtonElement>(`${current?._id} ${naming}`);
  if (views.length === 0 && query === "") return null;

  function upsert(saved: SavedView) {
    onChange((latest) =>
      [...latest.filter(({ _id }) => _id !== saved._id), saved].toSorted((a, b) =>
        a.name.localeCompare(b.name),
      ),
    );
  }

  async function remove({ _id, name, query }: SavedView) {
    const outcome = await call("deleteView", { params: { id: _id } });
    if (!outcome.ok && outcome.status !== 404) return showRefusal(outcome);
    onChange((latest) => latest.filter((view) => view._id !== _id));
    toastDeleted(name, "saveView", { body: { name, query, zone } }, upsert);
  }

  return (
    <div className="views">
      {views.length > 0 && (
        <nav className="tabs" aria-label="Saved views" ref={nav}>
          {views.map((view) => (
            <Link
              key={view._id}
              to={`?${view.query}`}
              aria-current={view === current || undefined}
              preventScrollReset
            >
              <Star />
              {view.name}
              {view.count !== undefined && <span>{countUpTo(view.count, countLimit)}</span>}
            </Link>
          ))}
        </nav>
      )}
      {current && (
        <Button ref={button} size="sm" look="quiet" onClick={() => void once(() => remove(current))}>
          Delete this view
        </Button>
      )}
      {!current && query !== "" && !naming && (
        <Button ref={button} size="sm" look="quiet" icon="plus" onClick={() => setNaming(true)}>
          Save this view
        </Button>
      )}
      {!current && naming && (
        <ViewForm
          query={query}
          zone={zone}
          onSaved={(saved) => {
            setNaming(false);
            upsert(saved);
            toast.success(`“${saved.name}” is saved.`);
          }}
          onCancel={() => setNaming(false)}
        />
      )}
    </div>
  );
}

interface ViewFormProps {
  query: string;
  zone: string;
  onSaved: (view: SavedView) => void;
  onCancel: () => void;
}

function ViewForm({ query, zone, onSaved, onCancel }: ViewFormProps) {
  const form = useFields({ name: filled("Enter a name.") });
  const save = form.onSubmit(async ({ name }, { refuse }) => {
    const outcome = await call("saveView", { body: { name, query, zone } });
    if (outcome.ok) onSaved(outcome.data);
    else refuse({ fields: { name: outcome.fields?.name ?? outcome.detail } });
  });

  return (
    <form className="views__new" onSubmit={save} noValidate>
      <TextField
        label="Name of the view"
        autoComplete="off"
        autoFocus
        {...form.field("name")}
        onKeyDown={({ key }) => key === "Escape" && onCancel()}
      />
      <Button type="submit" look="ink" size="sm" busy={form.busy}>
        Save
      </Button>
      <Button size="sm" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}

/** Filters, order and columns of the URL, without the page. */
function viewQuery(params: ListParams): string {
  return params.to({}).slice(1);
}

function normalizeQuery(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}

/** Not in Icon, which every page loads. */
function Star() {
  return drawIcon("m12 4 2.5 5.2 5.5.8-4 4 1 5.6-5-2.7-5 2.7 1-5.6-4-4 5.5-.8z");
}
