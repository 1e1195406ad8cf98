import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

const themes = [
  { name: 'light', bg: '#ffffff', fg: '#27272a', muted: '#52525b' },
  { name: 'dark', bg: '#1b1b1f', fg: '#dfdfd6', muted: '#a1a1aa' },
]

/**
 * Draws ```mermaid blocks at build time, once per theme, as pictures that load nothing. The words after `mermaid` are the alternative
 * text.
 */
export function diagrams(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const [, text] = /^mermaid\b\s*(.*)$/.exec(token?.info ?? '') ?? []
    if (token === undefined || text === undefined)
      return fence?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
    const alternative = markdown.utils.escapeHtml(text === '' ? 'Diagram' : text)
    const pictures = themes.map(
      ({ name, ...colors }) =>
        `<img class="diagram diagram-${name}" alt="${alternative}" src="${address(drawing(token.content, colors))}">`,
    )
    return `<p class="diagrams">${pictures.join('')}</p>\n`
  }
}

/** The renderer asks Google for a font; the system's has to do. */
function drawing(source: string, colors: { bg: string; fg: string; muted: string }): string {
  return renderMermaidSVG(source, colors).replaceAll(/^\s*@import url\([^)]*\);\n/gm, '')
}

const address = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
