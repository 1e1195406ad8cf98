import type { MarkdownRenderer } from 'vitepress'

const outside =
  /^(?:\.\.\/)+(?:README|CONTRIBUTING|CHANGELOG|SECURITY|LICENSE|packages|bench|scripts|test|deploy)\b/

/** Links to files of the repository outside of `docs/` work where the repository is read; on the site they are plain text. */
export function outsideLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('outside-links', ({ tokens }) => {
    for (const { children } of tokens) {
      let isOutside = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') isOutside = outside.test(String(token.attrGet('href')))
        if (!isOutside) continue
        if (token.type === 'link_open') {
          token.type = 'outside_open'
          token.tag = 'em'
          token.attrs = null
        } else if (token.type === 'link_close') {
          token.type = 'outside_close'
          token.tag = 'em'
          isOutside = false
        }
      }
    }
  })
}
