import type { DocsSite } from '../../ports/built-assets.ts'

const closed = [
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]

const quoted = (hashes: readonly string[]) => hashes.map((hash) => ` '${hash}'`).join('')

/**
 * The headers of a page of the guides: it runs the files of its own build and the inline scripts that the build has hashed. Vue is the one
 * that may turn text into markup, with what the build has rendered.
 */
export function guideHeaders(docsUrl: string, { scripts, styles }: DocsSite): Record<string, string> {
  return pageHeaders([
    "default-src 'none'",
    `script-src ${docsUrl}/assets/${quoted(scripts)}`,
    `style-src ${docsUrl}/assets/ ${docsUrl}/vp-icons.css 'unsafe-hashes'${quoted(styles)}`,
    `font-src ${docsUrl}/assets/`,
    `connect-src ${docsUrl}/hashmap.json`,
    'img-src data:',
    ...closed,
    'trusted-types vue',
  ])
}

/** The headers of a page of an error code: one style sheet, no script. */
export function errorPageHeaders(docsUrl: string): Record<string, string> {
  return pageHeaders([
    "default-src 'none'",
    `style-src ${docsUrl}/errors/`,
    'img-src data:',
    ...closed,
    "trusted-types 'none'",
  ])
}

function pageHeaders(policy: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-cache',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
