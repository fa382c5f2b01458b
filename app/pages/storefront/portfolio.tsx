import type { ReactNode } from "react";
import { Link } from "react-router";
import { pageTitle } from "../../components/page-title.ts";
import { portfolio } from "./portfolio-entries.ts";

export const meta = () => pageTitle(`${portfolio.name}, ${portfolio.role}`, portfolio.summary);

/** The developer's page: education, skills, three projects. */
export default function PortfolioPage() {
  const { name, role, summary, email, education, skills, projects } = portfolio;
  return (
    <main id="main" className="sheet resume">
      <div className="resume__head">
        <h1 className="t-display">{name}</h1>
        <p className="soft">
          {role}. {summary}
        </p>
        <p>
          <a className="link link--strong" href={`mailto:${email}`}>
            {email}
          </a>
        </p>
      </div>
      <div className="cv">
        <Section title="Education">
          {education.map((stage) => (
            <Entry key={stage.what} label={stage.when} title={stage.what}>
              {stage.where}
            </Entry>
          ))}
        </Section>
        <Section title="Skills">
          {skills.map((skill) => (
            <Entry key={skill.group} label={skill.group}>
              {skill.items.join(", ")}
            </Entry>
          ))}
        </Section>
        <Section title="Projects">
          {projects.map((project) => (
            <Entry key={project.name} label={project.when} title={project.name}>
              {project.text}
              <span className="cv__stack">{project.stack.join(", ")}</span>
              {project.link && (
                <Link className="link link--strong" to={project.link.href}>
                  {project.link.label}
                </Link>
              )}
            </Entry>
          ))}
        </Section>
      </div>
    </main>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="t-h2">{title}</h2>
      <div>
        <ul>{children}</ul>
      </div>
    </section>
  );
}

interface EntryProps {
  label: string;
  title?: string;
  children: ReactNode;
}

function Entry({ label, title, children }: EntryProps) {
  return (
    <li>
      <span className="t-label">{label}</span>
      <div className="cv__text">
        {title && <h3>{title}</h3>}
        <p className={title ? "soft" : undefined}>{children}</p>
      </div>
    </li>
  );
}
