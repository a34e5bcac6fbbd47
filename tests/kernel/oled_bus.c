// SPDX-License-Identifier: GPL-2.0
/*
 * I2C bus 1 with one panel on it. The panel takes every message and forgets nothing: /proc/oled reads back all that it
 * was sent, message by message, each as its length (two bytes, low byte first) and its bytes. Writing there:
 *   clear      forget what was sent
 *   unplug     the cable is out: no device answers any more
 *   plug       the cable is in again
 *   fail N     the Nth message from now on is not acknowledged (1: the next), then all is well again
 * Where no device answers a transfer ends with EREMOTEIO, as on a Raspberry Pi.
 */
#include <linux/i2c.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define PANEL 0x3c
#define ROOM (4 * 1024 * 1024)

static DEFINE_MUTEX(lock);
static u8 *sent;
static size_t length;
static bool plugged = true;
static unsigned int failing;

static bool answers(u16 address)
{
	if (!plugged || address != PANEL)
		return false;
	return !failing || --failing;
}

static int keep(const struct i2c_msg *message)
{
	if (length + 2 + message->len > ROOM)
		return -ENOSPC;
	sent[length++] = message->len & 0xff;
	sent[length++] = message->len >> 8;
	memcpy(sent + length, message->buf, message->len);
	length += message->len;
	return 0;
}

static int transfer(struct i2c_adapter *bus, struct i2c_msg *messages, int count)
{
	int i, result = count;

	mutex_lock(&lock);
	for (i = 0; i < count && result == count; i++) {
		if (!answers(messages[i].addr))
			result = -EREMOTEIO;
		else if (messages[i].flags & I2C_M_RD)
			memset(messages[i].buf, 0, messages[i].len);
		else if (keep(&messages[i]))
			result = -ENOSPC;
	}
	mutex_unlock(&lock);
	return result;
}

static u32 abilities(struct i2c_adapter *bus)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .master_xfer = transfer, .functionality = abilities };
static struct i2c_adapter bus = { .owner = THIS_MODULE, .algo = &algorithm, .name = "remembering bus", .nr = 1 };

static ssize_t read_sent(struct file *file, char __user *to, size_t count, loff_t *at)
{
	ssize_t got;

	mutex_lock(&lock);
	got = simple_read_from_buffer(to, count, at, sent, length);
	mutex_unlock(&lock);
	return got;
}

static ssize_t obey(struct file *file, const char __user *from, size_t count, loff_t *at)
{
	char words[32] = "";
	unsigned int number;
	ssize_t result = count;

	if (count >= sizeof(words) || copy_from_user(words, from, count))
		return -EINVAL;
	strim(words);
	mutex_lock(&lock);
	if (!strcmp(words, "clear"))
		length = 0;
	else if (!strcmp(words, "unplug"))
		plugged = false;
	else if (!strcmp(words, "plug"))
		plugged = true;
	else if (sscanf(words, "fail %u", &number) == 1)
		failing = number;
	else
		result = -EINVAL;
	mutex_unlock(&lock);
	return result;
}

static const struct proc_ops ways = { .proc_read = read_sent, .proc_write = obey, .proc_lseek = default_llseek };

static int __init begin(void)
{
	sent = vmalloc(ROOM);
	if (!sent || !proc_create("oled", 0600, NULL, &ways))
		return -ENOMEM;
	return i2c_add_numbered_adapter(&bus);
}
late_initcall(begin);
