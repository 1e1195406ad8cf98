/** A page of an error code: what an SDK error links to. Plain on purpose: it opens anywhere and runs nothing. */
export const errorPage = (code: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${code} · Symbolon</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/errors/page.css">
</head>
<body>
<header><a href="/docs/">Symbolon</a></header>
<main>
${body.replaceAll(/ <a class="header-anchor"[^>]*>[^<]*<\/a>/g, '')}</main>
</body>
</html>
`

/** The page of a code that is not in the catalogue: a mistyped one, or one of a newer version. */
export const missingErrorPage: string = errorPage(
  'No such error code',
  `<h1>No such error code</h1>
<p>404: this version of the platform has no error of this name. <a href="/docs/errors/">All errors</a></p>
`,
)

/** What is said of any other page that is not there. */
export const missingPage =
  '<h1>Page not found</h1><p>404: there is no such page. <a href="/docs/">The documentation</a></p>'

/** The style of those pages, in both themes. */
export const errorStyle = `:root {
  color-scheme: light dark;
  --text: light-dark(#27272a, #dfdfd6);
  --quiet: light-dark(#5b5b63, #a5a5ad);
  --link: light-dark(#4f46a5, #b3acf5);
  --line: light-dark(#e2e2e3, #2e2e32);
  --code: light-dark(#f4f4f6, #26262b);
  background: light-dark(#ffffff, #1b1b1f);
  color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif;
}
body { margin: 0 auto; max-width: 44rem; padding: 0 1.25rem 3rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding: 1rem 0; }
header a { color: inherit; font-weight: 600; text-decoration: none; }
a { color: var(--link); }
h1 { font-size: 1.75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
blockquote { border-left: 3px solid var(--link); color: var(--quiet); margin: 0; padding-left: 1rem; }
blockquote p { margin: 0; }
code { background: var(--code); border-radius: 4px; font-size: 0.875em; overflow-wrap: anywhere; padding: 0.15em 0.35em; }
`
