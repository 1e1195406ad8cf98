import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))

/** The pages in reading order; decisions and design notes are listed from their folders. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  return [
    {
      text: 'Start',
      items: [
        { text: 'Getting started', link: '/guides/getting-started' },
        { text: 'Client mode', link: '/guides/client-mode' },
        { text: 'wagmi, ethers, viem, MCP …', link: '/guides/clients' },
        { text: 'Agents', link: '/guides/agents' },
        { text: 'Networks', link: '/guides/networks' },
        { text: 'EVM chains', link: '/guides/evm' },
      ],
    },
    {
      text: 'Operate',
      items: [
        { text: 'Production', link: '/guides/production' },
        { text: 'The portal', link: '/guides/portal' },
        { text: 'Key rotation', link: '/guides/keys' },
        { text: 'Backup and restore', link: '/guides/backup' },
        { text: 'Recovery webhook', link: '/guides/recovery-webhook' },
        { text: 'Rescue', link: '/guides/rescue' },
        { text: 'Audit log', link: '/guides/audit' },
        { text: 'Verify the enclave', link: '/guides/verify' },
      ],
    },
    {
      text: 'Reference',
      items: [
        { text: 'API', link: '/reference/api' },
        { text: 'Configuration', link: '/reference/configuration' },
        { text: 'Policies', link: '/reference/policy' },
        { text: 'Errors', link: '/errors/' },
      ],
    },
    {
      text: 'How it is built',
      items: [
        { text: 'Architecture', link: '/architecture' },
        { text: 'Threat model', link: '/threat-model' },
        { text: 'Decisions', link: '/decisions/', collapsed: true, items: pagesOf('decisions') },
        { text: 'Design notes', collapsed: true, items: pagesOf('design') },
      ],
    },
  ]
}

function pagesOf(folder: string): DefaultTheme.SidebarItem[] {
  return readdirSync(`${docs}/${folder}`)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => ({ text: titleOf(`${docs}/${folder}/${file}`), link: `/${folder}/${file.slice(0, -3)}` }))
}

const titleOf = (file: string) => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file
