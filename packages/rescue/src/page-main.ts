import { rescuePage } from './page/rescue-page.ts'

rescuePage(document)
