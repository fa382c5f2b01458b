import { useEffect, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { FormError, TextField } from "../../../components/field.tsx";
import { useFields } from "../../../components/use-fields.ts";
import { call } from "../../../data/api-client.ts";
import { type SignedInUser, useSignedInUser } from "../../../data/session.ts";
import { useSessionExpired } from "../../../data/use-session-expired.ts";
import { emailRule } from "../../auth/auth-rules.ts";

interface StockAlertProps {
  productId: string;
  /** the tool can be ordered already */
  onOrderable: () => void;
}

/** One email when the tool can be ordered again: with one press for who is signed in, to an address for visitors. */
export function StockAlert(props: StockAlertProps) {
  const person = useSignedInUser();
  return person ? <OwnAlert {...props} person={person} /> : <VisitorAlert {...props} />;
}

function OwnAlert({ productId, onOrderable, person }: StockAlertProps & { person: SignedInUser }) {
  const params = { id: productId };
  const [waiting, setWaiting] = useState(false);
  const [asked, setAsked] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const endSession = useSessionExpired();
  useEffect(() => {
    const stop = new AbortController();
    call("findStockAlert", { params: { id: productId } }, stop.signal).then(
      // without an answer the button stays: to ask twice is to ask once
      (answer) => answer.ok && setWaiting(answer.data.waiting),
      () => undefined,
    );
    return () => stop.abort();
  }, [productId]);

  async function ask() {
    setBusy(true);
    setRefusal(undefined);
    const answer = await call("addStockAlert", { params });
    setBusy(false);
    if (answer.ok && answer.data.alert === "orderable") return onOrderable();
    if (answer.ok && answer.data.alert === "confirm") return setAsked(person.email);
    if (!answer.ok && answer.status === 401) return endSession();
    if (!answer.ok) return setRefusal(answer.detail);
    setWaiting(true);
  }

  async function stop() {
    setBusy(true);
    setRefusal(undefined);
    const answer = await call("removeStockAlert", { params });
    setBusy(false);
    if (answer.ok) setWaiting(false);
    else setRefusal(answer.detail);
  }

  if (asked) return <LinkSent email={asked} />;
  return (
    <div className="alert-me">
      <FormError>{refusal}</FormError>
      <p role="status">
        {waiting && `We send one email to ${person.email} when this tool can be ordered again.`}
      </p>
      {waiting ? (
        <Button busy={busy} onClick={stop}>
          Send no email
        </Button>
      ) : (
        <Button look="primary" icon="mail" busy={busy} onClick={ask}>
          Email me when it can be ordered
        </Button>
      )}
    </div>
  );
}

function VisitorAlert({ productId, onOrderable }: StockAlertProps) {
  const [asked, setAsked] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const form = useFields({ email: emailRule });
  const submit = form.onSubmit(async ({ email }, sent) => {
    setRefusal(undefined);
    const answer = await call("askForStockAlert", {
      params: { id: productId },
      body: { email: email.trim() },
    });
    if (answer.ok && answer.data.alert === "orderable") onOrderable();
    else if (answer.ok) setAsked(email.trim());
    else if (answer.fields?.email) sent.refuse("email", answer.fields.email);
    else setRefusal(answer.detail);
  });
  if (asked) return <LinkSent email={asked} />;
  return (
    <form className="alert-me" method="post" noValidate onSubmit={submit}>
      <FormError>{refusal}</FormError>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint="One email when it can be ordered again. You confirm the address first."
        {...form.field("email")}
      />
      <Button type="submit" look="primary" icon="mail" busy={form.busy}>
        Email me when it can be ordered
      </Button>
    </form>
  );
}

function LinkSent({ email }: { email: string }) {
  return (
    <p role="status">
      Open the link that we sent to {email} within a day. You then get an email when this tool can be ordered
      again.
    </p>
  );
}
