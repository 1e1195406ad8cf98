import { defineConfig } from 'vitepress'
import { diagrams } from './markdown/diagrams.ts'
import { outsideLinks } from './markdown/outside-links.ts'
import { sidebar } from './sidebar.ts'

/** The documentation at `/docs`: what a build puts there is served by `packages/server/src/features/docs-site`. */
export default defineConfig({
  title: 'Symbolon',
  description: 'Self-custodial wallets for your users, run by you.',
  base: '/docs/',
  cleanUrls: true,
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  // A page of another build would be prefetched where the policy allows scripts alone.
  router: { prefetchLinks: false },
  cacheDir: '../node_modules/.cache/vitepress',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light', dark: 'github-dark' },
    config(markdown) {
      markdown.use(outsideLinks).use(diagrams)
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/getting-started', activeMatch: '/guides/' },
      {
        text: 'How it is built',
        link: '/architecture',
        activeMatch: '/(architecture|threat-model|decisions)',
      },
      { text: 'Reference', link: '/reference/api', activeMatch: '/(reference|errors)/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
