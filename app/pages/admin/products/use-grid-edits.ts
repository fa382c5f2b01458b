import { type Dispatch, type SetStateAction, useState } from "react";
import type { Product } from "../../../../api/entities.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { counted } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { isDecided } from "../../../data/api-client.ts";
import { type CallOnce, useCallOnce } from "../../../data/call-once.ts";
import { type CellName, gridCells, textOf, withText } from "./grid-cells.ts";
import { checkDraft, draftOf, mergeDrafts, type ProductDraft, type ProductInput } from "./product-draft.ts";

/** The edits of a product, and the server's response to them. */
export interface Edit {
  product: Product;
  draft: ProductDraft;
  problems: Partial<Record<CellName, string>>;
  failure?: string | undefined;
  /** the product as another admin saved it */
  theirs?: Product | undefined;
  /** what may have been saved although its response was lost */
  undecided?: SentEdit | undefined;
}

type SentEdit = Pick<Edit, "product" | "draft">;

export interface CellChange {
  product: Product;
  name: CellName;
  text: string;
}

type Edits = ReadonlyMap<string, Edit>;
type SetSteps = Dispatch<SetStateAction<Edits[]>>;

const MAX_PARALLEL = 4;

/** The unsaved cells. A change of several cells is one undo step. */
export function useGridEdits(onSaved: (product: Product) => void) {
  const [edits, setEdits] = useState<Edits>(new Map());
  const [undoSteps, setUndoSteps] = useState<Edits[]>([]);
  const [redoSteps, setRedoSteps] = useState<Edits[]>([]);
  const [saving, setSaving] = useState<{ done: number; total: number }>();
  const callOnce = useCallOnce();

  function change(changes: CellChange[]) {
    if (changes.length === 0) return;
    setUndoSteps((steps) => [...steps.slice(-99), edits]);
    setRedoSteps([]);
    setEdits((current) => {
      const next = new Map(current);
      // each product is checked once, however many of its cells change
      for (const cells of Map.groupBy(changes, ({ product }) => product._id).values()) {
        const { product } = cells[0] as CellChange;
        const edit = next.get(product._id);
        const draft = cells.reduce(
          (before, { name, text }) => withText(before, name, text),
          edit?.draft ?? draftOf(product),
        );
        const { theirs, undecided, failure } = edit ?? {};
        setEdit(next, {
          product: edit?.product ?? product,
          draft,
          theirs,
          ...(undecided && { undecided, failure }),
        });
      }
      return next;
    });
  }

  function move(from: Edits[], setFrom: SetSteps, setTo: SetSteps) {
    const step = from.at(-1);
    if (!step || saving) return;
    setEdits(step);
    setFrom(from.slice(0, -1));
    setTo((steps) => [...steps, edits]);
  }

  const undo = () => move(undoSteps, setUndoSteps, setRedoSteps);
  const redo = () => move(redoSteps, setRedoSteps, setUndoSteps);

  function forgetSteps() {
    setUndoSteps([]);
    setRedoSteps([]);
  }

  function discard() {
    setEdits(new Map());
    forgetSteps();
  }

  /** Resolves a conflict: the product as another admin saved it, with my edits or without. */
  function resolve(edit: Edit, keep: "mine" | "theirs") {
    const { product, theirs, draft } = edit;
    if (!theirs) return;
    onSaved(theirs);
    setEdits((current) => {
      const next = new Map(current);
      next.delete(product._id);
      if (keep === "mine")
        setEdit(next, { product: theirs, draft: mergeDrafts(draftOf(product), draft, draftOf(theirs)) });
      return next;
    });
    forgetSteps();
  }

  /**
   * Saves each product separately: a refused one stays, with the reason, and does not stop the others. Reasons and
   * conflicts are shown when all have been sent; what is typed meanwhile stays.
   */
  async function save() {
    const toSave = [...edits.values()].filter(isSavable);
    if (saving || toSave.length === 0) return;
    setSaving({ done: 0, total: toSave.length });
    const refused = new Map<Edit, Edit>();
    const queue = toSave.values();
    const worker = async () => {
      for (const edit of queue) {
        const next = await saveOne(edit, callOnce);
        if ("_id" in next) {
          onSaved(next);
          setEdits((current) => rebase(current, edit, next));
        } else refused.set(edit, next);
        setSaving((current) => current && { ...current, done: current.done + 1 });
      }
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
    setEdits((current) => applyRefusals(current, refused));
    forgetSteps();
    setSaving(undefined);
    const saved = toSave.length - refused.size;
    if (saved > 0) toast.success(`${counted(saved, "tool")} saved.`);
    if (refused.size > 0) toast.error(`${counted(refused.size, "tool")} could not be saved.`);
  }

  return { edits, change, undo, redo, canUndo: undoSteps.length > 0, discard, resolve, save, saving };
}

function setEdit(edits: Map<string, Edit>, edit: Omit<Edit, "problems">): void {
  const id = edit.product._id;
  if (changedCells(edit).length === 0 && !edit.undecided) edits.delete(id);
  else edits.set(id, { ...edit, problems: problemsOf(edit) });
}

/** Applies what was typed while `sent` was being saved to the saved product. */
function rebase(current: Edits, sent: Edit, product: Product): Edits {
  const after = new Map(current);
  const draft = current.get(product._id)?.draft ?? draftOf(sent.product);
  setEdit(after, { product, draft: mergeDrafts(sent.draft, draft, draftOf(product)) });
  return after;
}

/** Keeps what was typed while a refused edit was being saved. */
function applyRefusals(current: Edits, refused: ReadonlyMap<Edit, Edit>): Edits {
  const after = new Map(current);
  for (const [sent, refusedEdit] of refused) {
    const id = sent.product._id;
    const edit = current.get(id);
    const { product, undecided, failure } = refusedEdit;
    if (edit === sent) after.set(id, refusedEdit);
    else if (edit) setEdit(after, { ...edit, theirs: refusedEdit.theirs ?? edit.theirs, undecided });
    else if (undecided) setEdit(after, { product, draft: draftOf(product), undecided, failure });
  }
  return after;
}

export function changedCells({ product, draft }: Pick<Edit, "product" | "draft">): CellName[] {
  const before = draftOf(product);
  return gridCells.map(({ name }) => name).filter((name) => textOf(draft, name) !== textOf(before, name));
}

/** If cells have errors, or another admin changed the product. A product refused for another reason can be sent again. */
export const needsCorrection = ({ problems, theirs }: Edit) =>
  Object.keys(problems).length > 0 || theirs !== undefined;

export const isSavable = (edit: Edit) => !needsCorrection(edit);

function problemsOf({ draft, product }: Omit<Edit, "problems">): Edit["problems"] {
  const checked = checkDraft(draft, product.quantity);
  if (!Array.isArray(checked)) return {};
  return messagesByCell(Object.fromEntries(checked.map(({ name, message }) => [name, message])));
}

/** The first message per cell; messages of no cell are shown at the name. */
function messagesByCell(messages: Record<string, string>): Edit["problems"] {
  const problems: Edit["problems"] = {};
  for (const [path, message] of Object.entries(messages)) {
    const field = path.split(".")[0];
    const cell = gridCells.find(({ name }) => name === field)?.name ?? "name";
    problems[cell] ??= message;
  }
  return problems;
}

/** The saved product, or the edit with the reason of its refusal. */
async function saveOne(edit: Edit, callOnce: CallOnce): Promise<Product | Edit> {
  let { product, draft } = edit;
  const { undecided } = edit;
  if (undecided) {
    // a save without a response is repeated first: a later change that reverts it would look like no change
    const earlier = await sendEdit(undecided.product, undecided.draft, callOnce);
    if (!earlier.ok && !isDecided(earlier)) return { ...edit, failure: earlier.detail };
    if (earlier.ok) {
      product = earlier.data;
      draft = mergeDrafts(undecided.draft, draft, draftOf(product));
    }
    if (changedCells({ product, draft }).length === 0) return product;
  }
  for (let attempt = 0; ; attempt += 1) {
    const response = await sendEdit(product, draft, callOnce);
    if (response.ok) return response.data;
    const theirs = response.present as Product | undefined;
    if (!theirs) {
      const problems = messagesByCell(response.fields ?? {});
      const failure = response.fields ? undefined : response.detail;
      return {
        product,
        draft,
        problems,
        failure,
        ...(!isDecided(response) && { undecided: { product, draft } }),
      };
    }
    // too few pieces are left; sent again, it sets the stock from the present one
    if (response.fields) return { product: theirs, draft, problems: {}, failure: response.detail };
    const myChanges = changedCells({ product, draft });
    const theirChanges = changedCells({ product, draft: draftOf(theirs) });
    // stock changes with every order; differences are merged
    const isConflict = myChanges.some((name) => name !== "quantity" && theirChanges.includes(name));
    if (isConflict || attempt > 2) return { product, draft, problems: {}, theirs };
    draft = mergeDrafts(draftOf(product), draft, draftOf(theirs));
    product = theirs;
  }
}

function sendEdit(
  { _id: id, version = 1, quantity, archived }: Product,
  draft: ProductDraft,
  callOnce: CallOnce,
): Promise<Outcome<Product>> {
  const body = {
    ...(checkDraft(draft, quantity) as ProductInput),
    version,
    seenQuantity: quantity,
    // a product on sale that another admin archives meanwhile stays archived
    ...((archived || draft.archived) && { archived: draft.archived === "yes" }),
  };
  return callOnce("editProduct", { params: { id }, body });
}
