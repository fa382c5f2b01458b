import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "./icon.tsx";

interface FieldFrame {
  label: ReactNode;
  /** right of the label, for example "Optional" */
  note?: ReactNode;
  /** under the input, unless there is an error */
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldProps extends FieldFrame {
  id?: string | undefined;
  children: (input: {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** Label above, error or hint below, linked to the input that `children` renders. */
export function Field({ label, note, hint, error, id, children }: FieldProps) {
  const made = useId();
  const inputId = id ?? made;
  const below = error ? `${inputId}-error` : hint ? `${inputId}-hint` : undefined;
  return (
    <div className="field">
      <label htmlFor={inputId}>
        {label}
        {note && <small>{note}</small>}
      </label>
      {children({ id: inputId, "aria-invalid": Boolean(error), "aria-describedby": below })}
      {error && <FieldError id={`${inputId}-error`}>{error}</FieldError>}
      {!error && hint && (
        <p className="hint" id={`${inputId}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldErrorProps {
  id?: string;
  /** `status` while somebody types: an alert would interrupt "100" after its first digit */
  role?: "alert" | "status";
  children: ReactNode;
}

/** Announced by screen readers when it appears. */
export function FieldError({ id, role = "alert", children }: FieldErrorProps) {
  return (
    <p className="err" id={id} role={role}>
      <Icon name="alert" />
      <span>{children}</span>
    </p>
  );
}

interface FormErrorProps {
  /** scrolls into view when it appears: for a form whose button is far below */
  reveal?: boolean;
  children?: ReactNode;
}

/** A refusal of the server or the identity provider, above a form. Renders nothing without a message. */
export function FormError({ reveal = false, children }: FormErrorProps) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (reveal && children) box.current?.scrollIntoView({ block: "nearest" });
  }, [reveal, children]);
  if (!children) return null;
  return (
    <p className="formerr" role="alert" ref={box}>
      <Icon name="alert" />
      <span>{children}</span>
    </p>
  );
}

type TextFieldProps = FieldFrame & Omit<ComponentProps<"input">, "children">;

export function TextField({ label, note, hint, error, className = "input", ...rest }: TextFieldProps) {
  return (
    <Field label={label} note={note} hint={hint} error={error} id={rest.id}>
      {(input) => <input {...rest} {...input} className={className} />}
    </Field>
  );
}

type TextAreaProps = FieldFrame & Omit<ComponentProps<"textarea">, "children">;

export function TextArea({ label, note, hint, error, rows = 5, ...rest }: TextAreaProps) {
  return (
    <Field label={label} note={note} hint={hint} error={error} id={rest.id}>
      {(input) => <textarea rows={rows} {...rest} {...input} className="input" />}
    </Field>
  );
}
