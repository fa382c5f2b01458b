import { useRef } from "react";
import { refusals } from "../../../shop/texts/refusals.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { ButtonLink } from "../../components/button.tsx";
import { initialsOf } from "../../components/initials.ts";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { UnsavedChangesPrompt } from "../../components/unsaved-changes-prompt.tsx";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";
import { callerIn } from "../dashboard/require-session.ts";
import type { Route } from "./+types/profile.ts";
import { AddressPanel } from "./address-panel.tsx";
import { ProfileField, type ProfileFieldProps } from "./profile-field.tsx";

export const meta = () => pageTitle("My Profile");

const fields: ProfileFieldProps[] = [
  {
    name: "education",
    label: "Education",
    required: refusals.educationRequired,
    placeholder: "School, degree or trade certificate",
  },
  {
    name: "location",
    label: "Location",
    required: refusals.locationRequired,
    placeholder: "City or region",
    autoComplete: "address-level2",
  },
  {
    name: "phone",
    label: "Phone",
    required: refusals.phoneRequired,
    placeholder: "Number with area code",
    type: "tel",
    autoComplete: "tel",
  },
  {
    name: "linkedin",
    label: "LinkedIn",
    required: refusals.linkedinRequired,
    placeholder: "linkedin.com/in/your-name",
    type: "url",
    autoComplete: "url",
  },
];

/** Admins place no orders. */
export async function loader({ context }: Route.LoaderArgs) {
  const caller = callerIn(context);
  return { addresses: caller.isAdmin ? null : await caller.call("listAddresses", {}) };
}

export default function ProfilePage({ loaderData: { addresses } }: Route.ComponentProps) {
  const { user } = useDashboard();
  const rows = useRef<HTMLDivElement>(null);
  // a field of the profile is empty when its value is saved
  const isUnsaved = () =>
    [
      ...(rows.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea") ?? []),
    ].some(({ value, defaultValue }) => value.trim() !== defaultValue);
  return (
    <>
      <PageHead
        title={labels.menu.profile}
        fact="Each field saves on its own."
        action={<ButtonLink to="/dashboard/account">Account</ButtonLink>}
      />
      <div className="who who--profile">
        <div className="who__av" aria-hidden="true">
          {initialsOf(user.name)}
        </div>
        <div className="who__text">
          <h2 className="t-h3">{user.name}</h2>
          <p className="soft">{user.email}</p>
        </div>
      </div>
      <div ref={rows}>
        <div className="rows">
          {fields.map((field) => (
            <ProfileField key={field.name} {...field} />
          ))}
        </div>
        {user.role === "user" && addresses && <AddressPanel outcome={addresses} />}
      </div>
      <UnsavedChangesPrompt isUnsaved={isUnsaved}>
        Changes you have not saved will be lost.
      </UnsavedChangesPrompt>
    </>
  );
}
