import { Button } from "../../../components/button.tsx";
import { count, counted } from "../../../components/format.ts";
import { changedCells, isSavable, needsCorrection, type useGridEdits } from "./use-grid-edits.ts";

export function GridSaveBar({
  gridEdits: { edits, save, discard, undo, canUndo, saving },
  onDiscarded,
  onNext,
}: {
  gridEdits: ReturnType<typeof useGridEdits>;
  /** some may have been saved although their responses were lost */
  onDiscarded: () => void;
  onNext: () => void;
}) {
  const all = [...edits.values()];
  if (all.length === 0) return null;
  const cells = all.reduce((sum, edit) => sum + changedCells(edit).length, 0);
  const toCorrect = all.filter(needsCorrection).length;
  const savable = saving?.total ?? all.filter(isSavable).length;
  const unsaved = `${counted(cells, "change")} in ${counted(all.length, "tool")}`;
  return (
    <section className="savebar" aria-label="Changes that are not saved">
      <p role="status">
        <b>{saving ? `Saving ${count(saving.done)} of ${counted(saving.total, "tool")}` : unsaved}</b>{" "}
        {toCorrect > 0 && !saving && (
          <span className="is-bad">
            {toCorrect === 1 ? "1 needs" : `${count(toCorrect)} need`} a correction
          </span>
        )}
      </p>
      <div className="acts">
        {toCorrect > 0 && !saving && (
          <Button size="sm" onClick={onNext}>
            Next correction
          </Button>
        )}
        <Button size="sm" look="quiet" onClick={undo} disabled={!canUndo || saving !== undefined}>
          Undo
        </Button>
        <Button
          size="sm"
          look="quiet"
          onClick={() => {
            discard();
            if (all.some(({ undecided }) => undecided)) onDiscarded();
          }}
          disabled={saving !== undefined}
        >
          Discard
        </Button>
        <Button
          size="sm"
          look="primary"
          busy={saving !== undefined}
          disabled={savable === 0}
          onClick={() => void save()}
        >
          Save {counted(savable, "tool")}
        </Button>
      </div>
    </section>
  );
}
