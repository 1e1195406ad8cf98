import type { FrameAssets } from '../../ports/built-assets.ts'

/** The path of the frame's files. */
export const assetsPath = '/frame/assets'

/** The path of the frame's document. */
export const documentPath = '/frame/document'

/** The names and hashes of the files that the page loads. */
type FrameFiles = { readonly [kind in keyof FrameAssets]: Pick<FrameAssets[kind], 'name' | 'integrity'> }

/** The page of the frame: its configuration as inert JSON, the one style and the one script, both bound to their hashes. */
export const framePage = (config: Record<string, unknown>, files: FrameFiles): string =>
  pageWith(inertJson(config), files)

/**
 * The page without its configuration, which differs from key to key: `frame_sha256` in an enclave's manifest is the SHA-256 of its bytes. It has the
 * hashes of all that the page loads.
 */
export const frameDocument = (files: FrameFiles): string => pageWith('', files)

function pageWith(config: string, { script, style }: FrameFiles): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wallet</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetsPath}/${style.name}" integrity="${style.integrity}">
<script type="application/json" id="frame-config">${config}</script>
<script type="module" src="${assetsPath}/${script.name}" integrity="${script.integrity}"></script>
</head>
<body>
<div id="root"></div>
</body>
</html>
`
}

/** A page of plain words; `text` is ours and needs no escaping. */
export const plainPage = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`

/** JSON that no text in it can end early: in a script element only `<` begins anything (HTML, 4.12.1.3). */
const inertJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
