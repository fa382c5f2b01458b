import { useState } from "react";
import { call } from "../../api-client.ts";
import { Button } from "../../ui/button.tsx";
import { ExactMoment } from "../../ui/exact-moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.ts";
import { useCall } from "../../use-call.ts";

/** The mails that the mail server refused, with its words; nothing where there are none. */
export function TroubledMails() {
  const { data, reload } = useCall("listTroubledMails", {});
  const [trying, setTrying] = useState<string | null>(null);

  async function tryAgain(job: string) {
    setTrying(job);
    const answer = await call("retryMail", { params: { job } });
    setTrying(null);
    if (answer.ok) toast.success("The mail is being sent again.");
    else toast.error(answer.detail);
    reload();
  }

  if (!data || data.mails.length === 0) return null;
  return (
    <Panel title="Not delivered">
      <ul className="rows">
        {data.mails.map((mail) => (
          <li key={mail.id} className="row">
            <div className="row__k">
              <b>{mail.to ?? mail.kind}</b>
              <span className="row__saved">
                {mail.problem}. Tried {mail.tries} times,{" "}
                {mail.nextTry ? (
                  <>
                    next <ExactMoment at={mail.nextTry} />
                  </>
                ) : (
                  "given up"
                )}
              </span>
            </div>
            <div className="row__f">
              <Button size="sm" busy={trying === mail.id} onClick={() => void tryAgain(mail.id)}>
                Try again
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
