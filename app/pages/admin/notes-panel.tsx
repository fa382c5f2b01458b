import { type ReactNode, useRef } from "react";
import type { Note } from "../../../api/customer-calls.ts";
import { customerRefusals } from "../../../shop/texts/customer-refusals.ts";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { FormError, TextArea } from "../../components/field.tsx";
import { toast } from "../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../components/unsaved-changes-prompt.tsx";
import { filled, useFields } from "../../components/use-fields.ts";
import { call } from "../../data/api-client.ts";
import { useCallOnce } from "../../data/call-once.ts";
import "../../styles/notes.css";
import { useRefusalToast } from "./use-refusal-toast.ts";

interface NotesPanelProps {
  /** newest first */
  notes: Note[];
  /** the call that adds one, and the id that it is about */
  add: "addOrderNote" | "addCustomerNote";
  id: string;
  aside?: ReactNode;
  /** an updater, since other notes may be added or deleted meanwhile */
  onChange: (update: (notes: Note[]) => Note[]) => void;
}

/** Notes for other admins about an order or a customer. */
export function NotesPanel({ notes, add, id, aside, onChange }: NotesPanelProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const form = useFields({ text: filled(customerRefusals.noteRequired) });
  const showRefusal = useRefusalToast();
  const callOnce = useCallOnce();

  const submit = form.onSubmit(async ({ text }, { refuse, empty }) => {
    const response = await callOnce(add, { params: { id }, body: { text } });
    if (!response.ok) return refuse(response);
    empty();
    onChange((current) => [response.data, ...current.filter(({ _id }) => _id !== response.data._id)]);
    toast.success("Note added.");
  });

  async function remove({ _id }: Note) {
    const response = await call("deleteNote", { params: { id: _id } });
    if (!response.ok && response.status !== 404) return showRefusal(response);
    onChange((current) => current.filter((note) => note._id !== _id));
    toast.success("Note deleted.");
  }

  return (
    <section className="panel no-print" aria-labelledby="notes-heading">
      <div className="panel__hd">
        <h2 className="t-h3" id="notes-heading" tabIndex={-1}>
          Notes <span className="t-label">for admins only</span>
        </h2>
        {aside}
      </div>
      {notes.length > 0 && (
        <ul className="notes">
          {notes.map((note) => (
            <li key={note._id}>
              <div className="notes__by">
                <b>{note.author}</b>
                <DateTime at={note.writtenAt} time />
                {note.mine && (
                  <button
                    type="button"
                    className="link"
                    aria-label={`Delete the note: ${note.text.slice(0, 60)}`}
                    onClick={() => {
                      document.getElementById("notes-heading")?.focus();
                      void remove(note);
                    }}
                  >
                    Delete
                  </button>
                )}
              </div>
              <p>{note.text}</p>
            </li>
          ))}
        </ul>
      )}
      <form className="notes__new" onSubmit={submit} noValidate>
        {/* not at the field: when it loses the focus, its message is removed, and Add note moves up before it is pressed */}
        <FormError>{form.refusal}</FormError>
        <TextArea ref={input} label="New note" rows={2} {...form.field("text")} />
        <Button type="submit" look="ink" size="sm" busy={form.busy}>
          Add note
        </Button>
      </form>
      <UnsavedChangesPrompt isUnsaved={() => Boolean(input.current?.value.trim())}>
        Your note will be lost.
      </UnsavedChangesPrompt>
    </section>
  );
}
