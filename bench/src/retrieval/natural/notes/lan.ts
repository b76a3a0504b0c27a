/** A developer of firmware in Shenzhen: Chinese, and English for facts about the repository. */
import { note } from "../NaturalNote.ts"

export const lan = [
  note("l-mcu", "2025-09-10", "fact", "新板子用的是 STM32H743，主频跑在 400 MHz，不要超频。"),
  note("l-watchdog", "2025-10-15", "procedure", "看门狗超时设为 4 秒，固件升级时要先关掉。"),
  note(
    "l-toolchain",
    "2025-09-11",
    "procedure",
    "The firmware is built with arm-none-eabi-gcc 13.2 by CMake presets: `cmake --preset h743-release`."
  ),
  note("l-boot0", "2025-11-07", "procedure", "烧录之前先短接 BOOT0，否则 J-Link 连不上。"),
  note(
    "l-can",
    "2025-12-03",
    "fact",
    "The CAN bus runs at 500 kbit/s with 29-bit identifiers; it is terminated on the display board."
  ),
  note("l-zhou-old", "2025-03-20", "fact", "电阻和电容都找华强北的老周买。"),
  note("l-zhou-new", "2026-03-09", "decision", "三月起电阻和电容改在立创商城下单，不再找老周采购。"),
  note("l-pills", "2025-08-08", "fact", "妈妈的高血压药每天早上吃一片，药放在床头柜里。"),
  note("l-teacher", "2025-09-01", "fact", "女儿上小学三年级，班主任是吴老师。"),
  note("l-spicy", "2025-02-11", "preference", "老公不能吃辣，聚餐别选川菜馆。"),
  note("l-parking", "2026-01-05", "fact", "停车位在地下二层 B2-117，月租 600 元。"),
  note("l-train", "2026-05-15", "fact", "端午节回潮州老家，高铁票要提前十五天抢。"),
  note(
    "l-misra",
    "2025-09-12",
    "decision",
    "We follow MISRA C:2023; a deviation needs a comment with the number of the rule."
  ),
  note("l-rtos", "2025-10-20", "procedure", "FreeRTOS 的任务栈至少 512 字，溢出检查必须打开。"),
  note(
    "l-ota",
    "2026-04-10",
    "decision",
    "OTA images are signed with Ed25519, and the bootloader refuses any that is older than what is running."
  ),
  note("l-battery", "2025-12-18", "decision", "电池电压低于 3.2 伏就进入休眠，只保留 RTC。"),
  note("l-badminton", "2025-11-22", "fact", "周六下午三点在体育馆打羽毛球，四号场。"),
  note("l-card", "2025-06-25", "episode", "医保卡丢过一次，是在福田区行政服务中心补办的。"),
  note("l-jie", "2026-02-27", "fact", "代码评审找阿杰，他最熟悉驱动部分。"),
  note("l-chamber", "2026-06-03", "fact", "产品要通过零下 20 度到零上 70 度的高低温测试。"),
  note("l-zhongwen", "2025-02-10", "preference", "文档用简体中文写，变量名用英文。"),
  note("l-visa", "2026-07-13", "fact", "去日本出差的签证十月到期。")
]
