/** The default theme, with fonts of the reader's system and colours that have contrast enough. */
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
