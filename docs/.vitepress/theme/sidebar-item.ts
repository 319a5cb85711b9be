/**
 * One entry of the sidebar, in the place of the default theme's: a heading, a list and links, which screen readers know. The default
 * theme makes headings buttons, and puts buttons into them.
 */
import { useData, withBase } from 'vitepress'
import type { DefaultTheme } from 'vitepress/theme'
import { defineComponent, h, type PropType, type VNode } from 'vue'

type Entry = DefaultTheme.SidebarItem

export default defineComponent({
  name: 'SidebarItem',
  props: { item: { type: Object as PropType<Entry>, required: true }, depth: { type: Number, required: true } },
  setup(props) {
    const { page } = useData()
    const isHere = ({ link }: Entry) => link === `/${page.value.relativePath.replace(/\.md$/, '')}`
    return () => section(props.item, isHere)
  },
})

type IsHere = (entry: Entry) => boolean

function section({ text, items = [] }: Entry, isHere: IsHere): VNode {
  return h('section', { class: 'entries' }, [h('h2', text), list(items, isHere)])
}

function list(items: readonly Entry[], isHere: IsHere): VNode {
  return h(
    'ul',
    items.map((item) => h('li', [item.items ? group(item, item.items, isHere) : link(item, isHere)])),
  )
}

/** Open where the reader is. Closed and opened by the browser itself. */
function group({ text }: Entry, items: readonly Entry[], isHere: IsHere): VNode {
  return h('details', { open: items.some(isHere) || undefined }, [h('summary', text), list(items, isHere)])
}

function link(item: Entry, isHere: IsHere): VNode {
  const target = item.link ?? ''
  const href = target.startsWith('/') ? withBase(`${target}.html`) : target
  return h('a', { href, 'aria-current': isHere(item) ? 'page' : undefined }, item.text)
}
