import { pageTitle } from "../../components/page-title.ts";
import { introduction, posts } from "./blog-posts.ts";

export const meta = () => pageTitle("Blog", introduction);

export default function BlogPage() {
  return (
    <main id="main" className="sheet blog">
      <div className="cat__top">
        <h1 className="t-h1">Blog</h1>
        <p className="soft">{introduction}</p>
      </div>
      <div className="posts">
        {posts.map((post) => (
          <article className="post" key={post.question}>
            <h2 className="t-h3">{post.question}</h2>
            <div className="post__text">
              {post.answer.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
            {post.code && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
              // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot replace preformatted text
              <pre className="post__code" tabIndex={0} role="group" aria-label={`Example: ${post.question}`}>
                <code>{post.code}</code>
              </pre>
            )}
          </article>
        ))}
      </div>
    </main>
  );
}
