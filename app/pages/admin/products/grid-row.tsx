import { memo, type ReactNode } from "react";
import { Link } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { classNames } from "../../../components/class-names.ts";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { PadCell } from "../../../components/pad-cell.tsx";
import { Picture } from "../../../components/picture.tsx";
import { type CellName, gridCells, headingOf, textOf } from "./grid-cells.ts";
import { draftOf } from "./product-draft.ts";
import { changedCells, type Edit } from "./use-grid-edits.ts";

export interface GridActions {
  change: (product: Product, name: CellName, text: string) => void;
  openPriceBreaks: (product: Product) => void;
  select: (product: Product, selected: boolean) => void;
  resolve: (edit: Edit, keep: "mine" | "theirs") => void;
}

interface GridRowProps {
  index: number;
  product: Product | undefined;
  edit: Edit | undefined;
  isSelected: boolean;
  actions: GridActions;
}

export const GridRow = memo(function GridRow({ index, product, edit, isSelected, actions }: GridRowProps) {
  if (!product) {
    return (
      <div role="row" aria-rowindex={index + 2} className="pgrid__row">
        <span role="gridcell" className="pgrid__wait">
          <span className="vh">Loading</span>
        </span>
      </div>
    );
  }
  const draft = edit?.draft ?? draftOf(product);
  const changed = edit ? changedCells(edit) : [];
  const noteId = `note-${product._id}`;
  const isLow = product.quantity < 4 * product.minimum_order;
  return (
    <>
      <div
        role="row"
        aria-rowindex={index + 2}
        className={classNames("pgrid__row", isSelected && "is-selected", product.archived && "is-archived")}
      >
        <span role="gridcell" className="pgrid__select">
          <label className="check">
            <input
              type="checkbox"
              data-cell="select"
              tabIndex={-1}
              aria-label={`Select ${product.name}`}
              checked={isSelected}
              onChange={({ target }) => actions.select(product, target.checked)}
            />
          </label>
        </span>
        {gridCells.map(({ name, heading, ...cell }) => (
          <span
            key={name}
            role="gridcell"
            className={classNames(
              `pgrid__${name}`,
              changed.includes(name) && "is-changed",
              name === "quantity" && isLow && "is-low",
            )}
          >
            {name === "name" && <Picture src={product.picture} alt="" />}
            {name === "archived" ? (
              <label className="check">
                <input
                  type="checkbox"
                  data-cell="archived"
                  tabIndex={-1}
                  aria-label={`${heading}, ${product.name}`}
                  aria-describedby={edit?.problems.archived ? noteId : undefined}
                  checked={draft.archived === "yes"}
                  onChange={({ target }) => actions.change(product, name, target.checked ? "yes" : "")}
                />
              </label>
            ) : (
              <PadCell
                column={name}
                label={`${heading}, ${product.name}`}
                numeric={"numeric" in cell}
                value={textOf(draft, name)}
                problem={edit?.problems[name] ? noteId : undefined}
                onCommit={(text) => actions.change(product, name, text)}
                onOpen={name === "price_breaks" ? () => actions.openPriceBreaks(product) : undefined}
              />
            )}
            {name === "price_breaks" && (
              <button
                type="button"
                className="pgrid__open"
                tabIndex={-1}
                aria-haspopup="dialog"
                aria-label={`Edit price breaks, ${product.name}`}
                onClick={() => actions.openPriceBreaks(product)}
              >
                <Icon name="down" />
              </button>
            )}
          </span>
        ))}
        <span role="gridcell" className="pgrid__more">
          {!product.archived && (
            <Link
              data-cell="edit"
              tabIndex={-1}
              to={`/dashboard/editProduct/${product._id}`}
              aria-label={`Edit, ${product.name}`}
            >
              Edit
            </Link>
          )}
        </span>
      </div>
      {edit && <EditNote id={noteId} edit={edit} actions={actions} />}
    </>
  );
});

interface EditNoteProps {
  id: string;
  edit: Edit;
  actions: GridActions;
}

function EditNote({ id, edit, actions }: EditNoteProps) {
  const { product, draft, problems, failure, theirs } = edit;
  if (theirs) return <Conflict id={id} edit={edit} theirs={theirs} actions={actions} />;
  const messages = Object.entries(problems).map(
    ([name, message]) => `${headingOf(name as CellName)}: ${message}`,
  );
  if (failure) messages.push(failure);
  if (messages.length === 0) return null;
  const [minimum, multiple] = [Number(draft.minimum_order), Number(draft.order_multiple)];
  const nextMinimum =
    multiple > 1 && minimum % multiple !== 0 ? Math.ceil(minimum / multiple) * multiple : null;
  const nearMultiple = nextMinimum === null ? 1 : nearestDivisor(minimum, multiple);
  return (
    <Note kind="bad">
      <span id={id}>{messages.join(" ")}</span>
      {nextMinimum !== null && problems.minimum_order && (
        <span className="fixes">
          <Fix first index={0} onClick={() => actions.change(product, "minimum_order", String(nextMinimum))}>
            Minimum {count(nextMinimum)}
          </Fix>
          <Fix index={1} onClick={() => actions.change(product, "order_multiple", String(nearMultiple))}>
            Multiple {count(nearMultiple)}
          </Fix>
        </span>
      )}
    </Note>
  );
}

/** The divisor of `value` nearest to `target`. */
function nearestDivisor(value: number, target: number): number {
  for (let distance = 1; distance < target; distance += 1)
    for (const divisor of [target + distance, target - distance]) if (value % divisor === 0) return divisor;
  return 1;
}

/** Another admin changed the product: shows both values of each difference. */
function Conflict({ id, edit, theirs, actions }: EditNoteProps & { theirs: Product }) {
  const [mine, current] = [edit.draft, draftOf(theirs)];
  const conflicting = changedCells(edit).filter((name) => textOf(mine, name) !== textOf(current, name));
  const text = conflicting.map(
    (name) =>
      `${headingOf(name)} is now ${textOf(current, name) || "empty"}, yours is ${textOf(mine, name) || "empty"}.`,
  );
  return (
    <Note kind="warn">
      <span id={id} role="alert">
        Another admin changed this tool. {text.join(" ")}
      </span>
      <span className="fixes">
        <Fix index={0} onClick={() => actions.resolve(edit, "theirs")}>
          Keep theirs
        </Fix>
        <Fix index={1} onClick={() => actions.resolve(edit, "mine")}>
          Use mine
        </Fix>
      </span>
    </Note>
  );
}

function Note({ kind, children }: { kind: "bad" | "warn"; children: ReactNode }) {
  return (
    <div role="row" className={`pgrid__note pad__note pad__note--${kind}`}>
      <span role="gridcell" className="strip">
        <Icon name="alert" />
        {children}
      </span>
    </div>
  );
}

interface FixProps {
  /** its position among the fixes, for the arrow keys */
  index: number;
  first?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Fix({ index, first, ...button }: FixProps) {
  return (
    <button
      type="button"
      className={classNames("fix", first && "fix--first")}
      data-cell={`fix-${index}`}
      tabIndex={-1}
      {...button}
    />
  );
}
