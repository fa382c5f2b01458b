import { useEffect, useRef } from "react";
import { Link, type LinkProps, useLocation, useNavigate } from "react-router";
import { labels } from "../../shop/texts/labels.ts";
import { endSession } from "../data/identity-request.ts";
import { type SignedInUser, useSignedInUser } from "../data/session.ts";
import { Button, ButtonLink } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Logo } from "./logo.tsx";
import { SEARCH, SearchBox } from "./search-box.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The state of the navigation after which the user is signed out. */
const SIGN_OUT = "sign out";

/**
 * The HTML contains both variants, signed in and signed out; `html[data-signed-in]`, set before the first paint,
 * shows one of them. So nothing shifts, and the page is the same for every visitor.
 */
export function Header() {
  const user = useSignedInUser();
  const navigate = useNavigate();
  useAccountCart(user);

  // Leaves a protected page first, which would redirect to the login. Unsaved input may delay or cancel that.
  const signOutHere = () => void navigate("/", { state: SIGN_OUT });
  const { key, state } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useEffect(() => {
    if (state !== SIGN_OUT) return;
    // not again after Back or a reload
    window.history.replaceState({ ...window.history.state, usr: null }, "");
    void endSession();
  }, [key]);

  return (
    <header className="hdr">
      <div className="sheet hdr__in">
        <Link className="logo" prefetch="intent" to="/" aria-label="Stator, home">
          <Logo />
        </Link>
        <SearchBox />
        <nav className="hdr__nav" aria-label="Main">
          <MenuLinks />
        </nav>
        <MenuLink className="cartbtn not-for-admin" to="/cart">
          <Icon name="cart" />
          <span className="cartbtn__word">Cart</span>
          <span className="count cartbtn__count" aria-hidden="true" />
          <span className="vh cartbtn__lines" />
        </MenuLink>
        <div className="hdr__who hdr__who--out when-out">
          <ButtonLink look="ink" size="sm" to="/login">
            {labels.menu.login}
          </ButtonLink>
        </div>
        <div className="hdr__who when-in">
          <span className="hdr__name">{user?.name}</span>
          <Button size="sm" onClick={signOutHere}>
            {labels.menu.signOut}
          </Button>
        </div>
        {/* on a phone the field is visible while it has the focus */}
        <label className="icon-btn hdr__find" htmlFor={SEARCH} aria-hidden="true">
          <Icon name="search" />
        </label>
        <ThemeSwitch />
        <Drawer name={user?.name} onSignOut={signOutHere} />
      </div>
    </header>
  );
}

/** Loads the account's cart when the browser is idle, once per document and sign-in. */
function useAccountCart(user: SignedInUser | null): void {
  const email = user?.role === "admin" ? undefined : user?.email;
  useEffect(() => {
    if (!email) return;
    const timer = setTimeout(
      () =>
        void import("../data/cart.ts").then(
          ({ refreshCart }) => refreshCart(),
          () => undefined, // offline; the cart's own page loads it too
        ),
      1000,
    );
    return () => clearTimeout(timer);
  }, [email]);
}

function MenuLinks() {
  return (
    <>
      <MenuLink to="/tools">Tools</MenuLink>
      <MenuLink to="/blog">{labels.menu.blog}</MenuLink>
      <MenuLink to="/portfolio">{labels.menu.portfolio}</MenuLink>
      <MenuLink to="/dashboard">{labels.menu.dashboard}</MenuLink>
    </>
  );
}

function MenuLink(link: LinkProps) {
  const { pathname } = useLocation();
  const isCurrent = link.to === `/${pathname.split("/")[1]}`;
  return <Link prefetch="intent" aria-current={isCurrent ? "page" : undefined} {...link} />;
}

/** The menu below 1024 px, full screen; closes on a choice, on Escape, and when the focus leaves it. */
function Drawer({ name, onSignOut }: { name: string | undefined; onSignOut: () => void }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes at each navigation
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [key]);

  return (
    <details
      className="hdr__menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        menu.current.open = false;
        menu.current.querySelector("summary")?.focus();
      }}
      // the menu covers the page, so the focus moves into it
      onBlur={({ currentTarget, relatedTarget: next }) => {
        if (next && !currentTarget.contains(next)) currentTarget.open = false;
      }}
    >
      <summary aria-label="Menu">
        <Icon name="menu" className="hdr__open" />
        <Icon name="close" className="hdr__close" />
      </summary>
      <nav className="drawer" aria-label="Main">
        <MenuLinks />
        <Link className="when-out" to="/login">
          {labels.menu.login}
        </Link>
        <button className="when-in" type="button" onClick={onSignOut}>
          {labels.menu.signOut} <span className="t-sm muted hdr__name">{name}</span>
        </button>
      </nav>
    </details>
  );
}
