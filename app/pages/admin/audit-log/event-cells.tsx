import { deviceName } from "../../account/device-name.ts";

interface WhoProps {
  who: { name: string; email: string } | undefined;
  /** shown instead of the name of an unknown user */
  fallback: string;
}

export function Who({ who, fallback }: WhoProps) {
  return (
    <>
      <span className="cut cut--block" title={who?.name}>
        {who?.name ?? fallback}
      </span>
      <span className="cell-2 cut" title={who?.email}>
        {who?.email}
      </span>
    </>
  );
}

interface FromProps {
  ip?: string | undefined;
  agent?: string | undefined;
}

export function From({ ip, agent }: FromProps) {
  return (
    <>
      {ip ?? "–"}
      <span className="cell-2">{ip && deviceName(agent)}</span>
    </>
  );
}
