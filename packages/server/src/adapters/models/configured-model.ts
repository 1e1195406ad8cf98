import type { ModelConfig } from '../../config.ts'
import type { Model } from '../../ports/model.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { openaiChat } from './openai-chat.ts'

/** The model that the installation is configured with, of whichever kind. */
export const configuredModel = ({ kind, ...config }: ModelConfig, outbound: Outbound): Model =>
  kind === 'openai' ? openaiChat({ ...config, outbound }) : anthropicMessages({ ...config, outbound })
